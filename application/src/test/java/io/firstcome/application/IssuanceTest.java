package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.ClaimAnswer.RowState;
import io.firstcome.application.DefineCoupon.Result;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.DeadLetter;
import io.firstcome.domain.issuance.HandoffEntry;
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

/** The way of a claim from the request to its row, and what may happen on it. */
@Timeout(30)
class IssuanceTest {

  private final Coupon coupon = aCoupon().withTotal(3).build();
  private final World world = World.with(coupon);

  @Test
  void a_claim_is_accepted_then_issued_and_stays_the_same_for_ever() {
    var answer = world.claim(coupon, "ann");
    var identity = CouponFixtures.codeKeys().identityOf(1, coupon.id(), new UserId("ann"));
    assertThat(answer).isEqualTo(new ClaimAnswer.Accepted(identity, new Slot(1)));
    assertThat(status("ann")).isEqualTo(new FindClaim.Result.Accepted(identity, new Slot(1)));
    assertThat(world.claim(coupon, "ann"))
        .isEqualTo(new ClaimAnswer.AlreadyIssued(identity, new Slot(1), RowState.ACCEPTED));

    world.relayAndRecord();

    assertThat(world.row(coupon, "ann").orElseThrow().identity()).isEqualTo(identity);
    assertThat(status("ann")).isInstanceOf(FindClaim.Result.Recorded.class);
    assertThat(world.claim(coupon, "ann"))
        .isEqualTo(new ClaimAnswer.AlreadyIssued(identity, new Slot(1), RowState.ISSUED));
    assertThat(world.logDepth()).isZero();
    assertThat(world.proof(coupon).exact()).isTrue();
  }

  @Test
  void with_the_database_away_who_has_a_coupon_is_told_so_without_its_state() {
    world.claim(coupon, "ann");
    world.database.goAway();

    assertThat(world.claim(coupon, "ann"))
        .isInstanceOfSatisfying(
            ClaimAnswer.AlreadyIssued.class,
            issued -> assertThat(issued.state()).isEqualTo(RowState.NOT_KNOWN));
    assertThat(world.claim(coupon, "bob")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void the_fourth_of_three_is_sold_out_and_has_no_claim() {
    List.of("ann", "bob", "cy").forEach(user -> world.claim(coupon, user));

    assertThat(world.claim(coupon, "dee"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.SoldOut()));
    assertThat(status("dee")).isEqualTo(new FindClaim.Result.None());
  }

  @Test
  void unknown_coupons_are_unknown_and_waiting_rooms_let_nobody_past() {
    var queued = aCoupon().withId("QUEUED").withWaitingRoom(10).build();
    world.defineCoupon.define(queued.definition(), null, OPERATOR);

    assertThat(world.claim(aCoupon().withId("NOWHERE").build(), "ann"))
        .isEqualTo(new ClaimAnswer.UnknownCoupon());
    assertThat(world.findClaim.find(new CouponId("NOWHERE"), new UserId("ann")))
        .isEqualTo(new FindClaim.Result.UnknownCoupon());
    assertThat(world.claim(queued, "ann")).isEqualTo(new ClaimAnswer.AdmissionRequired());
  }

  @Test
  void defining_again_is_told_apart_by_its_content() {
    assertThat(world.defineCoupon.define(coupon.definition(), null, OPERATOR))
        .isInstanceOf(Result.SameAsBefore.class);
    assertThat(
            world.defineCoupon.define(aCoupon().withTotal(4).build().definition(), null, OPERATOR))
        .isEqualTo(new Result.AlreadyDefined());
  }

  @Test
  void a_coupon_defined_while_the_stock_was_away_gets_its_stock_later() {
    var late = aCoupon().withId("LATE").build();
    world.stock.restart();
    assertThatExceptionOfType(StockFencedException.class)
        .isThrownBy(() -> world.defineCoupon.define(late.definition(), null, OPERATOR));
    assertThat(world.claim(late, "ann")).isEqualTo(new ClaimAnswer.Recovering());

    world.lookAtTheFence();
    world.bringToStock.catchUp();

    assertThat(world.claim(late, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(world.defineCoupon.define(late.definition(), null, OPERATOR))
        .isInstanceOf(Result.SameAsBefore.class);
  }

  @Test
  void what_the_broker_did_not_take_stays_in_the_log_and_is_published_again() {
    world.claim(coupon, "ann");
    world.broker.setAvailable(false);
    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> world.relay.relayNew());
    assertThat(world.logDepth()).isEqualTo(1);

    world.claim(coupon, "bob");
    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> world.relay.relayNew());
    assertThat(world.relay.relayStale()).isZero();
    assertThat(world.stock.log().readNew(10, Duration.ZERO))
        .as("left to instances that can publish")
        .hasSize(1);

    world.broker.setAvailable(true);
    assertThat(world.relay.relayNew()).isEqualTo(1);
    assertThat(world.relay.relayStale()).isEqualTo(2);
    world.recordAllWaiting(world.recorder);

    assertThat(world.row(coupon, "ann")).isPresent();
    assertThat(world.logDepth()).isZero();
  }

  @Test
  void what_a_wiped_broker_lost_is_published_again() {
    world.claim(coupon, "ann");
    world.relay.relayNew();
    world.broker.wipe();

    world.relay.relayStale();
    world.recordAllWaiting(world.recorder);

    assertThat(world.row(coupon, "ann")).isPresent();
  }

  @Test
  void redelivery_changes_nothing_and_clears_the_log() {
    world.claim(coupon, "ann");
    world.relay.relayNew();
    world.broker.duplicateWaiting();
    var entries = world.broker.waitingEntries();

    world.recordAllWaiting(world.recorder);
    World.record(world.recorder, entries);

    assertThat(world.database.ports().holders(coupon.id()))
        .containsExactly(new SlotClaim(new UserId("ann"), new Slot(1)));
    assertThat(world.proof(coupon).exact()).isTrue();
  }

  /** Whatever kills the recorder before the commit: the entry comes again. */
  @Test
  void an_entry_stays_in_the_log_until_its_rows_are_there() {
    world.claim(coupon, "ann");
    world.relay.relayNew();
    var depths = new ArrayList<Long>();
    var recorder =
        world.recorder(
            Interposed.before(
                    UserCouponRepository.class, "record", () -> depths.add(world.logDepth()))
                .port(UserCouponRepository.class, world.database.userCoupons()));

    world.recordAllWaiting(recorder);

    assertThat(depths).containsExactly(1L);
    assertThat(world.logDepth()).isZero();
  }

  @Test
  void poison_in_a_batch_is_set_aside_alone_and_the_rest_is_recorded() {
    var many = aCoupon().withId("MANY").withTotal(500).build();
    world.defineCoupon.define(many.definition(), null, OPERATOR);
    IntStream.rangeClosed(1, 90).forEach(i -> world.claim(many, "user-" + i));
    var recorder = world.recorder(chokingOn(new UserId("user-37")));

    world.relay.relayNew();
    while (world.broker.waiting() > 0) {
      world.recordAllWaiting(recorder);
      world.relay.relayNew();
    }

    assertThat(world.deadLetters())
        .singleElement()
        .satisfies(
            letter -> assertThat(World.users(letter)).containsExactly(new UserId("user-37")));
    assertThat(world.database.ports().holders(many.id())).hasSize(89);
    assertThat(world.logDepth()).isZero();
  }

  @Test
  void claims_of_an_unknown_coupon_or_beyond_the_total_are_set_aside() {
    world.claim(coupon, "ann");
    var entry = world.stock.log().peek(World.PARTITION, null, 1).getFirst();
    var beyond = List.of(new SlotClaim(new UserId("bob"), new Slot(4)));

    World.record(
        world.recorder,
        List.of(
            new HandoffEntry(
                entry.reference(), new CouponId("NOWHERE"), entry.acceptedAt(), entry.claims()),
            new HandoffEntry(entry.reference(), coupon.id(), entry.acceptedAt(), beyond)));

    assertThat(world.deadLetters())
        .extracting(DeadLetter::reason)
        .containsExactly("unknown coupon", "slot above the total of 3");
  }

  @Test
  void recording_waits_for_the_database_and_then_goes_on() throws Exception {
    world.claim(coupon, "ann");
    world.relay.relayNew();
    world.database.goAway();
    var recording = CompletableFuture.runAsync(() -> world.recordAllWaiting(world.recorder));
    while (!world.recorder.isPaused()) {
      assertThat(recording).isNotCompleted();
    }
    world.database.comeBack();

    recording.get(20, TimeUnit.SECONDS);
    assertThat(world.row(coupon, "ann")).isPresent();
    assertThat(world.recorder.isPaused()).isFalse();
  }

  private FindClaim.Result status(String user) {
    return world.findClaim.find(coupon.id(), new UserId(user));
  }

  /** User coupons of a database that chokes on one user. */
  private UserCouponRepository chokingOn(UserId poison) {
    var ports =
        new Interposed((method, arguments, call) -> {
          if (method.getName().equals("record") && usersIn(arguments).contains(poison)) {
            throw new UnrecordableException("poison", new IllegalStateException("in the batch"));
          }
          return call.call();
        });
    return ports.port(UserCouponRepository.class, world.database.userCoupons());
  }

  private static List<UserId> usersIn(List<?> arguments) {
    return ((List<?>) arguments.getFirst())
        .stream().map(claim -> ((AcceptedClaim) claim).userId()).toList();
  }
}
