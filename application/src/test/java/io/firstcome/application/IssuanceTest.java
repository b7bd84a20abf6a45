package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.claim.ClaimAnswer.RowState;
import io.firstcome.application.claim.FindClaim;
import io.firstcome.application.coupon.DefineCoupon.Result;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.BrokerUnavailableException;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.UnrecordableException;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The path of a claim from the request to its row, also with failures of servers. */
@Timeout(30)
class IssuanceTest {

  private final Coupon coupon = aCoupon().withTotal(3).build();
  private final InMemoryService service = InMemoryService.with(coupon);

  @Test
  void a_claim_is_accepted_then_issued_and_keeps_its_identity_and_slot() {
    var answer = service.claim(coupon, "ann");
    var identity = CouponFixtures.codeKeys().identityOf(1, coupon.id(), new UserId("ann"));
    assertThat(answer).isEqualTo(new ClaimAnswer.Accepted(identity, new Slot(1)));
    assertThat(status("ann")).isEqualTo(new FindClaim.Result.Accepted(identity, new Slot(1)));
    assertThat(service.claim(coupon, "ann"))
        .isEqualTo(new ClaimAnswer.AlreadyClaimed(identity, new Slot(1), RowState.ACCEPTED));

    service.relayAndRecord();

    assertThat(service.row(coupon, "ann").orElseThrow().identity()).isEqualTo(identity);
    assertThat(status("ann")).isInstanceOf(FindClaim.Result.Recorded.class);
    assertThat(service.claim(coupon, "ann"))
        .isEqualTo(new ClaimAnswer.AlreadyClaimed(identity, new Slot(1), RowState.ISSUED));
    assertThat(service.logDepth()).isZero();
    assertThat(service.proof(coupon).exact()).isTrue();
  }

  @Test
  void while_the_database_is_unreachable_an_issued_claim_is_reported_without_its_state() {
    service.claim(coupon, "ann");
    service.database.disconnect();

    assertThat(service.claim(coupon, "ann"))
        .isInstanceOfSatisfying(
            ClaimAnswer.AlreadyClaimed.class,
            issued -> assertThat(issued.state()).isEqualTo(RowState.NOT_KNOWN));
    assertThat(service.claim(coupon, "bob")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void the_fourth_claim_for_three_slots_is_refused_as_sold_out() {
    List.of("ann", "bob", "cy").forEach(user -> service.claim(coupon, user));

    assertThat(service.claim(coupon, "dee"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.SoldOut()));
    assertThat(status("dee")).isEqualTo(new FindClaim.Result.None());
  }

  @Test
  void claims_of_an_unknown_coupon_and_claims_without_admission_are_refused() {
    var queued = aCoupon().withId("QUEUED").withWaitingRoom(10).build();
    service.defineCoupon.define(queued.definition(), null, OPERATOR);

    assertThat(service.claim(aCoupon().withId("NOWHERE").build(), "ann"))
        .isEqualTo(new ClaimAnswer.UnknownCoupon());
    assertThat(service.findClaim.find(new CouponId("NOWHERE"), new UserId("ann")))
        .isEqualTo(new FindClaim.Result.UnknownCoupon());
    assertThat(service.claim(queued, "ann"))
        .isEqualTo(new ClaimAnswer.NotAdmitted(ClaimAnswer.NotAdmittedReason.MISSING));
  }

  @Test
  void defining_a_coupon_again_succeeds_only_with_the_same_content() {
    assertThat(service.defineCoupon.define(coupon.definition(), null, OPERATOR))
        .isInstanceOf(Result.SameAsBefore.class);
    assertThat(
            service.defineCoupon.define(
                aCoupon().withTotal(4).build().definition(), null, OPERATOR))
        .isEqualTo(new Result.AlreadyDefined());
  }

  @Test
  void a_coupon_defined_while_the_stock_is_unavailable_gets_its_stock_later() {
    var late = aCoupon().withId("LATE").build();
    service.stock.restart();
    assertThatExceptionOfType(StockFencedException.class)
        .isThrownBy(() -> service.defineCoupon.define(late.definition(), null, OPERATOR));
    assertThat(service.claim(late, "ann")).isEqualTo(new ClaimAnswer.Recovering());

    service.checkTheFence();
    service.stockSync.catchUp();

    assertThat(service.claim(late, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(service.defineCoupon.define(late.definition(), null, OPERATOR))
        .isInstanceOf(Result.SameAsBefore.class);
  }

  @Test
  void entries_that_could_not_be_published_stay_in_the_log_and_are_published_later() {
    service.claim(coupon, "ann");
    service.broker.setAvailable(false);
    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> service.relay.relayNew());
    assertThat(service.logDepth()).isEqualTo(1);

    service.claim(coupon, "bob");
    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> service.relay.relayNew());
    assertThat(service.relay.relayStale()).isZero();
    assertThat(service.stock.log().readNew(10, Duration.ZERO))
        .as("left to instances that can publish")
        .hasSize(1);

    service.broker.setAvailable(true);
    assertThat(service.relay.relayNew()).isEqualTo(1);
    assertThat(service.relay.relayStale()).isEqualTo(2);
    service.recordAllWaiting(service.recorder);

    assertThat(service.row(coupon, "ann")).isPresent();
    assertThat(service.logDepth()).isZero();
  }

  @Test
  void entries_lost_by_a_wiped_broker_are_published_again() {
    service.claim(coupon, "ann");
    service.relay.relayNew();
    service.broker.wipe();

    service.relay.relayStale();
    service.recordAllWaiting(service.recorder);

    assertThat(service.row(coupon, "ann")).isPresent();
  }

  @Test
  void redelivery_changes_nothing_and_clears_the_log() {
    service.claim(coupon, "ann");
    service.relay.relayNew();
    service.broker.duplicateWaiting();
    var entries = service.broker.waitingEntries();

    service.recordAllWaiting(service.recorder);
    InMemoryService.record(service.recorder, entries);

    assertThat(service.database.ports().holders(coupon.id()))
        .containsExactly(new SlotClaim(new UserId("ann"), new Slot(1)));
    assertThat(service.proof(coupon).exact()).isTrue();
  }

  /** If the recorder dies before the commit, the entry is published again. */
  @Test
  void an_entry_stays_in_the_log_until_its_rows_are_committed() {
    service.claim(coupon, "ann");
    service.relay.relayNew();
    var depths = new ArrayList<Long>();
    var recorder =
        service.recorder(
            Interposed.before(
                    UserCouponRepository.class, "record", () -> depths.add(service.logDepth()))
                .port(UserCouponRepository.class, service.database.userCoupons()));

    service.recordAllWaiting(recorder);

    assertThat(depths).containsExactly(1L);
    assertThat(service.logDepth()).isZero();
  }

  @Test
  void an_unrecordable_claim_in_a_batch_is_the_only_dead_letter_and_the_others_are_recorded() {
    var many = aCoupon().withId("MANY").withTotal(500).build();
    service.defineCoupon.define(many.definition(), null, OPERATOR);
    IntStream.rangeClosed(1, 90).forEach(i -> service.claim(many, "user-" + i));
    var recorder = service.recorder(rejecting(new UserId("user-37")));

    service.relay.relayNew();
    while (service.broker.waiting() > 0) {
      service.recordAllWaiting(recorder);
      service.relay.relayNew();
    }

    assertThat(service.deadLetters())
        .singleElement()
        .satisfies(letter ->
            assertThat(InMemoryService.users(letter)).containsExactly(new UserId("user-37")));
    assertThat(service.database.ports().holders(many.id())).hasSize(89);
    assertThat(service.logDepth()).isZero();
  }

  @Test
  void claims_of_an_unknown_coupon_or_above_the_quantity_are_dead_letters() {
    service.claim(coupon, "ann");
    var entry = service.stock.log().peek(InMemoryService.PARTITION, null, 1).getFirst();
    var beyond = List.of(new SlotClaim(new UserId("bob"), new Slot(4)));

    InMemoryService.record(
        service.recorder,
        List.of(
            new HandoffEntry(
                entry.reference(), new CouponId("NOWHERE"), entry.acceptedAt(), entry.claims()),
            new HandoffEntry(entry.reference(), coupon.id(), entry.acceptedAt(), beyond)));

    assertThat(service.deadLetters())
        .extracting(DeadLetter::reason)
        .containsExactly("unknown coupon", "slot above the total of 3");
  }

  @Test
  void recording_waits_for_the_database_and_then_continues() throws Exception {
    service.claim(coupon, "ann");
    service.relay.relayNew();
    service.database.disconnect();
    var recording = CompletableFuture.runAsync(() -> service.recordAllWaiting(service.recorder));
    while (!service.recorder.isPaused()) {
      assertThat(recording).isNotCompleted();
    }
    service.database.reconnect();

    recording.get(20, TimeUnit.SECONDS);
    assertThat(service.row(coupon, "ann")).isPresent();
    assertThat(service.recorder.isPaused()).isFalse();
  }

  private FindClaim.Result status(String user) {
    return service.findClaim.find(coupon.id(), new UserId(user));
  }

  /** A repository that rejects every batch with a claim of the user. */
  private UserCouponRepository rejecting(UserId poison) {
    var ports =
        new Interposed((method, arguments, call) -> {
          if (method.getName().equals("record") && usersIn(arguments).contains(poison)) {
            throw new UnrecordableException("poison", new IllegalStateException("in the batch"));
          }
          return call.call();
        });
    return ports.port(UserCouponRepository.class, service.database.userCoupons());
  }

  private static List<UserId> usersIn(List<?> arguments) {
    return ((List<?>) arguments.getFirst())
        .stream().map(claim -> ((AcceptedClaim) claim).userId()).toList();
  }
}
