package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponFixtures.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static io.firstcome.systemtests.kit.Exactness.assertExactInOrder;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.BackingServer;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What carries and keeps accepted claims goes and comes back; the claims wait in the log. */
@ExtendWith(QuietLogs.class)
class BrokerAndDatabaseFaultIT {

  private final World world = World.get();

  /** Claims need no broker, so nothing but their rows may be late, and not even their order. */
  @Test
  void a_restart_of_rabbitmq_in_mid_burst_loses_nothing() {
    var coupon = burstWithRestartOf(world.amqp());
    assertThat(assertExactInOrder(world, coupon).liveRows()).isEqualTo(2_000);
    assertThat(world.record().claimsOf(coupon))
        .as("claims go on without a broker")
        .allSatisfy(claim -> assertThat(claim.status()).isLessThan(500).isPositive());
  }

  @Test
  void a_restart_of_postgresql_in_mid_burst_loses_nothing() {
    var coupon = burstWithRestartOf(world.postgres());
    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(2_000);
  }

  private String burstWithRestartOf(BackingServer server) {
    var coupon = world.define(aCoupon().withTotal(2_000));
    var crowd = world.crowd(coupon, Users.some(4_000)).awaitMidBurst(500);
    int inFlight = crowd.inFlight();
    server.restart();
    assertThat(inFlight).as("requests under way at the fault").isPositive();
    crowd.join();
    return coupon;
  }
}
