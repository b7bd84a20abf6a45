package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Backlog;
import io.firstcome.systemtests.kit.Crowd;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.HaltedInstance;
import io.firstcome.systemtests.kit.HaltedMethod;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.SeparateHost;
import io.firstcome.systemtests.kit.TcpProxy;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The host of one of two instances is cut off while the instance holds a resource that the other
 * one needs. The instance keeps running and receives nothing. The other one takes over, and the
 * first one is ready again soon after its host is reconnected.
 */
@Tag("faults")
@ExtendWith(QuietLogs.class)
class CutOffHostIT {

  /**
   * Until the other instance has recorded all claims: the database ends the session after five
   * seconds, the broker closes the connection after up to nine, and others publish the entries that
   * were read from the log again after ten.
   */
  private static final Duration CONTINUES_WITHIN = Duration.ofSeconds(15);

  /**
   * Until the database has ended the session, and then a recovery, which reads the rows of all
   * coupons of the world.
   */
  private static final Duration RECOVERED_WITHIN = Duration.ofSeconds(40);

  /** Counted from the moment at which packets pass again. */
  private static final Duration READY_WITHIN = Duration.ofSeconds(30);

  /** More users than claim before the instance reaches the point where its host is cut off. */
  private static final int ANY_NUMBER = 500_000;

  /** So that nothing but the lease ends the session of the instance that was cut off. */
  private static final Map<String, String> LEASE_ALONE =
      Map.of("FIRSTCOME_LIMITS_DATABASE_SILENTCLIENT", "60s");

  private static final int QUANTITY = 3_000;
  private static final int MANY = 2 * QUANTITY;

  private final World world = World.get();

  @Scenario(
      number = "38e",
      fault =
          "the host of an instance is cut off (all packets are lost) between a batch's statements"
              + " and its commit",
      guards = "listen-heartbeat")
  void rows_locked_by_a_cut_off_instance_are_written_by_the_other_instance(Fault fault) {
    var point = HaltedMethod.WRITE_ROWS.returned(1);
    try (var host = SeparateHost.of(world);
        var instance = HaltedInstance.frozenAt(world, host, point, Map.of());
        var balancer = TcpProxy.to(host.address(), instance.process().port())) {
      var coupon = world.define(aCoupon().withTotal(QUANTITY));
      var crowd = crowd(coupon, ANY_NUMBER, balancer);
      fault.struckAt(instance.awaitHalt(), world, coupon);
      host.cutOff();
      instance.process().resume();
      crowd.endsAfter(MANY);

      Await.until(
          CONTINUES_WITHIN,
          () -> "all rows written: " + backlog().counts(),
          () -> backlog().violations().isEmpty());
      host.reconnect();
      instance.process().awaitReady(READY_WITHIN);
      crowd.join();

      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(QUANTITY);
    }
  }

  private Backlog backlog() {
    return Backlog.read(world.redis(), world.amqp());
  }

  private Crowd crowd(String coupon, int users, TcpProxy balancer) {
    return world.crowdAt(
        coupon, Users.some(users), List.of(balancer.port(), world.service().port()));
  }

  /** The world's own instance is frozen until the other one holds the recovery lease. */
  @Scenario(
      number = "38f",
      fault =
          "the host of an instance is cut off (all packets are lost) while the instance holds the"
              + " recovery lease",
      guards = "recovery-lease")
  void a_recovery_begun_by_a_cut_off_instance_is_completed_by_the_other_instance(Fault fault) {
    var point = HaltedMethod.DRAIN_QUEUE.entered(1);
    try (var host = SeparateHost.of(world);
        var instance = HaltedInstance.frozenAt(world, host, point, LEASE_ALONE);
        var balancer = TcpProxy.to(host.address(), instance.process().port())) {
      var coupon = world.define(aCoupon().withTotal(QUANTITY));
      var crowd = crowd(coupon, MANY, balancer).awaitMidBurst(500);
      fault.strike(
          crowd,
          () -> {
            world.service().pause();
            world.redis().kill();
          });
      fault.mend(world.redis()::restart);
      instance.awaitHalt();
      host.cutOff();
      instance.process().resume();
      world.service().resume();

      Await.until(RECOVERED_WITHIN, "open partitions", world::isOpen);
      host.reconnect();
      instance.process().awaitReady(READY_WITHIN);
      crowd.join();

      assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(QUANTITY);
    }
  }
}
