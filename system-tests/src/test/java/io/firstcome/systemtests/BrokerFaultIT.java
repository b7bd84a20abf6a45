package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Backlog;
import io.firstcome.systemtests.kit.Crowd;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QueuedClaimMessages;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.ServerData;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The broker is unreachable, blocked, or has lost messages; the hand-off log has all claims. */
@ExtendWith(QuietLogs.class)
class BrokerFaultIT {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final int MANY = 15_000;

  /**
   * More users than can claim until a fault has taken effect; {@link Crowd#endsAfter} ends them.
   */
  private static final int ANY_NUMBER = 500_000;

  private final World world = World.behindProxies();

  /** Claims need no broker: only their rows are delayed, and the order of slots holds. */
  @Scenario(
      number = "17",
      fault = "RabbitMQ killed (SIGKILL) while claims are published, and restarted",
      guards = "relay-again")
  void a_killed_broker_loses_no_claim_and_causes_no_refusal(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(2_000));
    var crowd = world.crowd(coupon, Users.some(4_000)).awaitMidBurst(500);

    fault.strike(crowd, world.amqp()::kill);
    fault.mend(world.amqp()::restart);
    crowd.join();

    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(2_000);
    assertClaimsContinued(coupon);
  }

  @Tag("faults")
  @Scenario(
      number = "19a",
      fault = "the queue of claims is unbound during a burst",
      guards = "publish-return")
  void unroutable_claims_stay_in_the_log(Fault fault) {
    try (var messages = QueuedClaimMessages.at(world.amqp())) {
      loseTheQueue(fault, messages::unbindQueue);
    }
  }

  @Scenario(
      number = "19b",
      fault = "the queue of claims is deleted during a burst, with its messages",
      guards = "relay-again")
  void a_deleted_queue_is_declared_again_and_filled_from_the_log(Fault fault) {
    try (var messages = QueuedClaimMessages.at(world.amqp())) {
      loseTheQueue(fault, messages::deleteQueue);
    }
  }

  private void loseTheQueue(Fault fault, Runnable loss) {
    var coupon = world.define(aCoupon().withTotal(ANY_NUMBER));
    double failedBefore = failedRounds();
    var crowd = world.crowd(coupon, Users.some(ANY_NUMBER)).awaitMidBurst(500);
    // Earlier, the relay may open its first connection after the loss; that declares the queue.
    Await.until(
        LIMIT,
        "a recorded claim",
        () -> StoredCoupon.read(world.postgres(), coupon).liveRows() > 0);
    fault.strike(crowd, loss);
    fault.healsAutomatically();
    Await.until(LIMIT, "a failed round of the relay", () -> failedRounds() > failedBefore);
    crowd.endsAfter(MANY).join();
    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(crowd.answered());
    assertClaimsContinued(coupon);
  }

  private double failedRounds() {
    return World.metric(world.service(), "firstcome_rounds_failed_total", "round=\"relay\"");
  }

  /**
   * One of two instances dies with entries that it has read and cannot publish. Messages that it
   * has sent on its blocked connection are lost with the broker.
   */
  @Tag("faults")
  @Scenario(
      number = "20",
      fault =
          "the broker's memory alarm blocks publishers; one of two instances is killed (SIGKILL),"
              + " then the broker",
      guards = "relay-sweep")
  void a_blocked_broker_causes_no_refusal_of_claims(Fault fault) {
    try (ServiceProcess second = World.ready(world.start("second-relay", Map.of()))) {
      var coupon = world.define(aCoupon().withTotal(MANY));
      var crowd = world.crowd(coupon, Users.some(MANY)).awaitMidBurst(100);

      fault.strike(
          crowd, () -> world.amqp().control("set_vm_memory_high_watermark", "absolute", "1"));
      crowd.join();
      assertThat(Backlog.read(world.redis(), world.amqp()).violations())
          .as("claims that wait for the broker")
          .isNotEmpty();
      second.kill();
      world.amqp().kill();
      fault.mend(world.amqp()::restart);

      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(MANY);
      assertClaimsContinued(coupon);
    }
  }

  /** PostgreSQL is unreachable meanwhile, so that messages wait in the broker. */
  @Tag("faults")
  @Scenario(
      number = "21",
      fault =
          "RabbitMQ loses all its data while claims are queued because PostgreSQL is unreachable",
      guards = "relay-log-kept")
  void a_broker_that_lost_its_data_is_filled_from_the_log(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(ANY_NUMBER));
    // The first claims must be able to read the coupon from the database.
    var crowd = world.crowd(coupon, Users.some(ANY_NUMBER)).awaitMidBurst(1_000);
    world.links().postgres().refuse();
    try (var messages = QueuedClaimMessages.at(world.amqp())) {
      Await.until(LIMIT, "messages wait in the queue", () -> messages.waiting() > 0);
    }

    fault.strike(crowd, ServerData.of(world)::wipeBroker);
    fault.mend(world.links().postgres()::heal);
    crowd.endsAfter(MANY).join();

    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(crowd.answered());
    assertClaimsContinued(coupon);
  }

  private void assertClaimsContinued(String coupon) {
    assertThat(world.record().claimsOf(coupon))
        .as("claims are answered without a broker")
        .allSatisfy(claim -> assertThat(claim.status()).isLessThan(500).isPositive());
  }
}
