package io.firstcome.application.recording;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.recording.ReplayDeadLetters.Result;
import io.firstcome.contracts.broker.BrokerFixtures;
import io.firstcome.domain.audit.AuditEntry.Action;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetterId;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.ClaimMessageReader;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.UnrecordableException;
import io.firstcome.domain.port.UserCouponRepository;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Retries of dead letters, automatic ones and those of an operator. */
class ReplayDeadLettersTest {

  private static final byte[] MESSAGE = "of tomorrow".getBytes(StandardCharsets.US_ASCII);

  private final Coupon coupon = aCoupon().withTotal(50).build();
  private final InMemoryService service = InMemoryService.with(coupon);

  /** The result of reading any message. */
  private ClaimMessageReader.Reading reading =
      new ClaimMessageReader.Reading.Unreadable("unknown version: 2");

  private final ReplayDeadLetters replay = replay(service.recorder);

  private ReplayDeadLetters replay(RecordAcceptedClaims recorder) {
    return new ReplayDeadLetters(
        service.database.deadLetters(),
        body -> reading,
        recorder,
        service.keepDeadLetters,
        service.database.audit(),
        InstantSource.system(),
        service.limits.recording(),
        IssuanceObserver.silent());
  }

  /** Makes a claim whose only copy is a message that the broker could not deliver. */
  private HandoffEntry undelivered(String user) throws InterruptedException {
    service.claim(coupon, user);
    var entry = service.stock.log().peek(InMemoryService.PARTITION, null, 1).getFirst();
    service.stock.log().recorded(List.of(entry.reference()));
    service.keepDeadLetters.keepUndelivered(List.of(entry));
    return entry;
  }

  private DeadLetterId onlyLetter() {
    assertThat(service.deadLetters()).hasSize(1);
    return service.deadLetters().getFirst().id();
  }

  private void replayAllDue() {
    while (replay.replayDue()) {
      assertThat(service.deadLetters()).allMatch(letter -> letter.attempts() <= 3);
    }
  }

  @Test
  void a_valid_message_that_was_delivered_too_often_is_replayed_automatically() throws Exception {
    undelivered("ann");

    replayAllDue();

    assertThat(service.row(coupon, "ann")).isPresent();
    assertThat(service.deadLetters()).isEmpty();
    assertThat(service.proof(coupon).exact()).isTrue();
  }

  @Test
  void a_replay_by_an_operator_is_audited_and_an_automatic_replay_is_not() throws Exception {
    undelivered("ann");
    var id = onlyLetter();
    replay.replay(new DeadLetterId(id.value() + 1), OPERATOR);
    replay.replay(id, OPERATOR);
    undelivered("bob");
    replayAllDue();

    assertThat(service.database.audit().ofCoupon(coupon.id(), null, 10))
        .extracting(kept -> kept.entry().action(), kept -> kept.entry().detail())
        .containsExactly(
            tuple(Action.REPLAY_DEAD_LETTER, "dead letter " + id), tuple(Action.DEFINE, null));
  }

  @Test
  void a_dead_letter_of_an_earlier_epoch_is_replayed() throws Exception {
    undelivered("ann");
    service.stock.wipe();
    service.checkTheFence();

    replayAllDue();
    service.settleAll();

    assertThat(service.row(coupon, "ann")).isPresent();
    assertThat(service.deadLetters()).isEmpty();
    assertThat(service.proof(coupon).exact()).isTrue();
  }

  @Test
  void a_replay_of_an_already_recorded_claim_adds_no_second_row() throws Exception {
    var entry = undelivered("ann");
    InMemoryService.record(service.recorder, List.of(entry));

    assertThat(replay.replay(onlyLetter(), OPERATOR)).isEqualTo(new Result.Recorded());

    assertThat(service.proof(coupon).exact()).isTrue();
    assertThat(service.database.ports().holders(coupon.id())).hasSize(1);
  }

  @Test
  void only_the_failing_claims_of_a_message_stay_each_as_its_own_dead_letter() throws Exception {
    service.claim(coupon, "ann");
    var entry = service.stock.log().peek(InMemoryService.PARTITION, null, 1).getFirst();
    var bob = new SlotClaim(new UserId("bob"), new Slot(51));
    service.keepDeadLetters.keepUndelivered(
        List.of(
            new HandoffEntry(
                entry.reference(),
                coupon.id(),
                entry.acceptedAt(),
                List.of(entry.claims().getFirst(), bob))));

    assertThat(replay.replay(onlyLetter(), OPERATOR)).isEqualTo(new Result.Recorded());

    assertThat(service.row(coupon, "ann")).isPresent();
    assertThat(service.deadLetters())
        .singleElement()
        .satisfies(
            letter -> assertThat(InMemoryService.users(letter)).containsExactly(bob.userId()))
        .extracting(DeadLetter::reason)
        .isEqualTo("slot above the total of 50");
  }

  @Test
  void a_dead_letter_whose_replay_fails_keeps_its_new_reason_and_count() {
    InMemoryService.record(service.recorder, List.of(ofCoupon("LATER")));
    var id = onlyLetter();
    service.defineCoupon.define(
        aCoupon().withId("LATER").withTotal(1).build().definition(), null, OPERATOR);
    var refusing = recordingThrows(new UnrecordableException("no", new IllegalStateException()));

    assertThat(refusing.replay(id, OPERATOR))
        .isEqualTo(new Result.Failed("the database refuses it", 2));
    assertThat(refusing.replay(id, OPERATOR))
        .isEqualTo(new Result.Failed("the database refuses it", 3));

    assertThat(onlyLetter()).isEqualTo(id);
    assertThat(service.deadLetters().getFirst().reason()).isEqualTo("the database refuses it");
    assertThat(service.deadLetters().getFirst().attempts()).isEqualTo(3);
  }

  @Test
  void a_claim_of_an_undefined_coupon_is_recorded_after_the_coupon_is_defined() {
    InMemoryService.record(service.recorder, List.of(ofCoupon("LATER")));
    service.defineCoupon.define(
        aCoupon().withId("LATER").withTotal(1).build().definition(), null, OPERATOR);

    assertThat(replay.replay(onlyLetter(), OPERATOR)).isEqualTo(new Result.Recorded());
    service.settleAll();

    assertThat(service.database.userCoupons().find(new CouponId("LATER"), new UserId("zoe")))
        .isPresent();
  }

  /** An entry with one claim, by zoe. */
  private HandoffEntry ofCoupon(String couponId) {
    var other = BrokerFixtures.entries(1).getFirst();
    return new HandoffEntry(
        new EntryReference(InMemoryService.PARTITION, "1-1", other.reference().epoch()),
        new CouponId(couponId),
        other.acceptedAt(),
        List.of(new SlotClaim(new UserId("zoe"), new Slot(1))));
  }

  @Test
  void automatic_replays_of_a_failing_claim_are_limited_and_an_operator_can_replay_it() {
    InMemoryService.record(service.recorder, List.of(ofCoupon("NOWHERE")));

    replayAllDue();

    assertThat(service.deadLetters().getFirst().attempts()).isEqualTo(3);
    assertThat(replay.replay(onlyLetter(), OPERATOR))
        .isEqualTo(new Result.Failed("unknown coupon", 4));
  }

  @Test
  void a_bug_in_recording_is_a_failed_attempt_whose_reason_contains_no_user() throws Exception {
    undelivered("ann");
    var buggy = recordingThrows(new IllegalStateException("about ann"));

    assertThat(buggy.replay(onlyLetter(), OPERATOR))
        .isEqualTo(new Result.Failed("recording failed with IllegalStateException", 2));
    assertThat(service.deadLetters()).hasSize(1);
  }

  private ReplayDeadLetters recordingThrows(RuntimeException failure) {
    return replay(
        service.recorder(
            Interposed.before(
                    UserCouponRepository.class,
                    "record",
                    () -> {
                      throw failure;
                    })
                .port(UserCouponRepository.class, service.database.userCoupons())));
  }

  @Test
  void a_dead_letter_stays_while_the_database_is_unreachable() throws Exception {
    undelivered("ann");
    var id = onlyLetter();
    service.database.disconnect();

    assertThatExceptionOfType(DatabaseUnavailableException.class)
        .isThrownBy(() -> replay.replay(id, OPERATOR))
        .matches(e -> e.effect() == Effect.NONE);

    service.database.reconnect();
    assertThat(replay.replay(id, OPERATOR)).isEqualTo(new Result.Recorded());
  }

  @Test
  void a_failure_of_a_replay_that_has_begun_has_an_unknown_effect() throws Exception {
    undelivered("ann");
    var unavailable =
        new DatabaseUnavailableException(Effect.NONE, "not reachable", new IllegalStateException());

    assertThatExceptionOfType(DatabaseUnavailableException.class)
        .isThrownBy(() -> recordingThrows(unavailable).replay(onlyLetter(), OPERATOR))
        .matches(e -> e.effect() == Effect.UNKNOWN);

    assertThat(service.deadLetters())
        .singleElement()
        .satisfies(letter -> assertThat(letter.attempts()).isEqualTo(2));
  }

  @Test
  void keeping_a_dead_letter_waits_for_the_database() throws Exception {
    service.database.disconnect();
    var keeping =
        CompletableFuture.runAsync(() -> {
          try {
            service.keepDeadLetters.keepUnreadable(MESSAGE, "a\nreason");
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    assertThat(keeping).isNotCompleted();
    service.database.reconnect();

    keeping.get(20, TimeUnit.SECONDS);
    assertThat(service.deadLetters().getFirst().reason()).isEqualTo("a?reason");
  }

  @Test
  void a_message_of_another_release_is_recorded_when_this_release_can_read_it() throws Exception {
    var entry = undelivered("ann");
    service.database.deadLetters().remove(onlyLetter());
    service.keepDeadLetters.keepUnreadable(MESSAGE, "unknown version: 2");

    assertThat(replay.replay(onlyLetter(), OPERATOR))
        .isEqualTo(new Result.Failed("unknown version: 2", 2));
    reading = new ClaimMessageReader.Reading.Decoded(entry);
    assertThat(replay.replay(onlyLetter(), OPERATOR)).isEqualTo(new Result.Recorded());

    assertThat(service.row(coupon, "ann")).isPresent();
    assertThat(service.deadLetters()).isEmpty();
  }

  @Test
  void concurrent_replays_of_a_dead_letter_record_its_claim_once() throws Exception {
    for (int round = 0; round < 50; round++) {
      undelivered("user-" + round);
      var id = onlyLetter();
      var barrier = new CyclicBarrier(2);
      var other = CompletableFuture.supplyAsync(() -> replayAfter(barrier, id));

      assertThat(replayAfter(barrier, id)).isNotInstanceOf(Result.Failed.class);
      assertThat(other.get(20, TimeUnit.SECONDS)).isNotInstanceOf(Result.Failed.class);

      assertThat(service.deadLetters()).isEmpty();
      assertThat(service.proof(coupon).exact()).isTrue();
    }
    assertThat(replay.replay(new DeadLetterId(1), OPERATOR)).isEqualTo(new Result.UnknownLetter());
  }

  private Result replayAfter(CyclicBarrier barrier, DeadLetterId id) {
    try {
      barrier.await(Duration.ofSeconds(20).toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return replay.replay(id, OPERATOR);
  }
}
