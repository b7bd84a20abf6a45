package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.agent.HaltPoint;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.HaltedInstance;
import io.firstcome.systemtests.kit.HaltedMethod;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** One of two instances halts between two steps, and its users retry at the other one. */
@ExtendWith(QuietLogs.class)
class HaltedServiceIT {

  /** More users than claim before the instance halts. */
  private static final int ANY_NUMBER = 500_000;

  private static final int QUANTITY = 3_000;

  private final World world = World.get();

  @Tag("faults")
  @Scenario(
      number = "3a",
      fault =
          "an instance halts before a claim call to Redis, another one after Redis has executed"
              + " the call",
      guards = "claim-ledger")
  void a_claim_whose_instance_halts_before_or_after_the_call(Fault fault) {
    haltInABurst(fault, HaltedMethod.SEND_CLAIMS.entered(5));
    // While slots are free: the other instance is faster than one that has just started.
    var coupon = haltInABurst(fault, HaltedMethod.READ_OUTCOMES.entered(2), 10 * QUANTITY);
    assertThat(world.record().claimsOf(coupon))
        .as("retries of claims that were already accepted, without violations")
        .anyMatch(RecordedClaim::isRepeated);
  }

  @Tag("faults")
  @Scenario(
      number = "3b",
      fault = "an instance halts before it answers claims",
      guards = "claim-ledger")
  void a_claim_whose_instance_halts_before_the_answer(Fault fault) {
    haltInABurst(fault, HaltedMethod.COUNT_ANSWER.returned(200));
  }

  @Tag("faults")
  @Scenario(
      number = "4",
      fault =
          "instances halt one after the other: after reading from the hand-off log, after"
              + " publishing, after the broker's confirm, before removing recorded entries from"
              + " the log",
      guards = "relay-again")
  void a_relay_that_halts_at_any_of_its_steps(Fault fault) {
    haltInABurst(fault, HaltedMethod.PUBLISH_CLAIMS.entered(1));
    haltInABurst(fault, HaltedMethod.AWAIT_CONFIRM.entered(1));
    haltInABurst(fault, HaltedMethod.PUBLISH_CLAIMS.returned(1));
    haltInABurst(fault, HaltedMethod.REMOVE_ENTRIES.entered(1));
  }

  @Tag("faults")
  @Scenario(
      number = "6a",
      fault = "an instance halts before it writes a batch of rows",
      guards = "record-first")
  void a_recorder_that_halts_before_the_transaction(Fault fault) {
    haltInABurst(fault, HaltedMethod.RECORD.entered(1));
  }

  @Scenario(
      number = "6b",
      fault = "an instance halts between a batch's statements and its commit",
      guards = "record-first")
  void a_recorder_that_halts_before_the_commit(Fault fault) {
    haltInABurst(fault, HaltedMethod.WRITE_ROWS.returned(1));
  }

  @Tag("faults")
  @Scenario(
      number = "6c",
      fault = "an instance halts between commit and acknowledgement",
      guards = "record-conflict")
  void a_recorder_that_halts_before_the_acknowledgement(Fault fault) {
    haltInABurst(fault, HaltedMethod.ACKNOWLEDGE.entered(1));
  }

  private void haltInABurst(Fault fault, HaltPoint point) {
    haltInABurst(fault, point, QUANTITY);
  }

  /** Returns the id of the coupon, which was checked to be exact. */
  private String haltInABurst(Fault fault, HaltPoint point, int quantity) {
    try (var other = HaltedInstance.at(world, point)) {
      var coupon = world.define(aCoupon().withTotal(quantity));
      var crowd = world.crowd(coupon, Users.some(ANY_NUMBER), other.process(), world.service());
      fault.struckAt(other.awaitHalt(), world, coupon);
      // All slots are issued, and some claims are answered "sold out".
      crowd.endsAfter(2 * quantity).join();
      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(quantity);
      return coupon;
    }
  }
}
