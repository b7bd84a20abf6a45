package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.TcpProxy;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The network drops open connections without notifying either side, as a replaced firewall does:
 * TCP alone would retransmit for up to a quarter of an hour.
 */
@Tag("faults")
@ExtendWith(QuietLogs.class)
class DroppedConnectionsIT {

  private static final Duration CLAIMS_LIMIT = Duration.ofSeconds(10);

  /** More users than claim until claims are answered again. */
  private static final int ANY_NUMBER = 500_000;

  private static final int QUANTITY = 3_000;
  private static final int MANY = 2 * QUANTITY;

  private final World world = World.behindProxies();

  @Scenario(
      number = "38g",
      fault =
          "the network drops all open connections to Redis, RabbitMQ and PostgreSQL without a"
              + " reset",
      guards = "leave-silent")
  void claims_continue_over_new_connections(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(QUANTITY));
    var crowd = world.crowd(coupon, Users.some(ANY_NUMBER)).awaitMidBurst(500);
    var links = world.links();

    fault.strike(
        crowd,
        () -> List.of(links.redis(), links.amqp(), links.postgres()).forEach(TcpProxy::dropOpen));
    fault.healsAutomatically();
    Await.until(CLAIMS_LIMIT, "an answer to a claim", () -> isAnswered(coupon, Users.one()));
    crowd.endsAfter(MANY);
    crowd.join();

    assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(QUANTITY);
  }

  private boolean isAnswered(String coupon, String user) {
    try (var claimant = world.claimant()) {
      return claimant.claim(coupon, user).map(claim -> claim.status() < 500).orElse(false);
    }
  }
}
