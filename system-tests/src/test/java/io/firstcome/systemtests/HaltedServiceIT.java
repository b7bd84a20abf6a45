package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.agent.HaltPoint;
import io.firstcome.systemtests.agent.HaltPoint.Moment;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.HaltedInstance;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One of two instances halts between two steps of what it does, and its users go to the other one.
 */
@ExtendWith(QuietLogs.class)
class HaltedServiceIT {

  private static final String STOCK = "io.firstcome.adapter.redis.RedisCouponStock";
  private static final String LOG = "io.firstcome.adapter.redis.RedisHandoffLog";
  private static final String PUBLISHER = "io.firstcome.adapter.rabbitmq.RabbitClaimPublisher";
  private static final String CONFIRMS = "io.firstcome.adapter.rabbitmq.ConfirmedPublisher";
  private static final String LISTENER = "io.firstcome.adapter.rabbitmq.RabbitClaimListener";
  private static final String ROWS = "io.firstcome.adapter.persistence.JooqUserCouponRepository";
  private static final String RECORDING = "io.firstcome.adapter.persistence.ClaimRecording";

  /** More than come while the instance goes to its halt. */
  private static final int ANY_NUMBER = 500_000;

  private static final int PIECES = 3_000;

  /** As many as come at least, so that all pieces are issued and some users are told "sold out". */
  private static final int MANY = 2 * PIECES;

  private final World world = World.get();

  @Tag("faults")
  @Scenario(
      number = "3a",
      fault =
          "an instance halts before a claim call, another when Redis has taken the claims of one",
      guards = "claim-ledger")
  void a_claim_whose_instance_halts_before_or_after_the_call(Fault fault) {
    haltInABurst(fault, new HaltPoint(STOCK, "sendClaim", Moment.ENTER, 5));
    var coupon = haltInABurst(fault, new HaltPoint(STOCK, "outcomes", Moment.ENTER, 5));
    assertThat(world.record().claimsOf(coupon))
        .as("users who repeated their claim, without violations")
        .anySatisfy(claim -> assertThat(claim.outcome()).isEqualTo("ALREADY_ISSUED"));
  }

  @Tag("faults")
  @Scenario(number = "3b", fault = "an instance halts before it answers", guards = "claim-ledger")
  void a_claim_whose_instance_halts_before_the_answer(Fault fault) {
    haltInABurst(
        fault,
        new HaltPoint("io.firstcome.bootstrap.rest.CountedClaims", "count", Moment.EXIT, 200));
  }

  @Tag("faults")
  @Scenario(
      number = "4",
      fault =
          "one instance after the other halts: when it has read from the log, when it has published,"
              + " when the broker has confirmed, before it removes recorded entries from the log",
      guards = {"record-conflict", "relay-again"})
  void a_relay_that_halts_at_any_of_its_steps(Fault fault) {
    haltInABurst(fault, new HaltPoint(PUBLISHER, "publish", Moment.ENTER, 1));
    haltInABurst(fault, new HaltPoint(CONFIRMS, "requireTaken", Moment.ENTER, 1));
    haltInABurst(fault, new HaltPoint(PUBLISHER, "publish", Moment.EXIT, 1));
    haltInABurst(fault, new HaltPoint(LOG, "recorded", Moment.ENTER, 1));
  }

  @Tag("faults")
  @Scenario(
      number = "6a",
      fault = "an instance halts before it writes a batch",
      guards = "record-first")
  void a_recorder_that_halts_before_the_transaction(Fault fault) {
    haltInABurst(fault, new HaltPoint(ROWS, "record", Moment.ENTER, 1));
  }

  @Scenario(
      number = "6b",
      fault = "an instance halts between a batch's statements and its commit",
      guards = "record-first")
  void a_recorder_that_halts_before_the_commit(Fault fault) {
    haltInABurst(fault, new HaltPoint(RECORDING, "record", Moment.EXIT, 1));
  }

  @Tag("faults")
  @Scenario(
      number = "6c",
      fault = "an instance halts between commit and acknowledgement",
      guards = "record-conflict")
  void a_recorder_that_halts_before_the_acknowledgement(Fault fault) {
    haltInABurst(fault, new HaltPoint(LISTENER, "acknowledge", Moment.ENTER, 1));
  }

  /** Gives the coupon, which ended exact. */
  private String haltInABurst(Fault fault, HaltPoint point) {
    try (var other = HaltedInstance.at(world, point)) {
      var coupon = world.define(aCoupon().withTotal(PIECES));
      var crowd = world.crowd(coupon, Users.some(ANY_NUMBER), other.process(), world.service());
      fault.struckAt(other.awaitHalt(), world, coupon);
      crowd.endsAfter(MANY).join();
      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(PIECES);
      return coupon;
    }
  }
}
