package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.server.RedisServer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A master with two replicas, of which Sentinel prefers the one that lags. */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(QuietLogs.class)
class RedisReplicasFaultIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final int MANY = 100;

  private static final int QUANTITY = 10_000;

  private final World world = World.underSentinel("two-replicas");

  @AfterAll
  void close() {
    world.close();
  }

  @Scenario(
      number = "39",
      fault =
          "of two replicas, the one that Sentinel prefers stalls; the master is killed, and the"
              + " stalled one is promoted",
      guards = "claim-every-replica")
  void the_promotion_of_a_lagging_replica_loses_no_answered_claim(Fault fault) {
    var pair = world.redisPair();
    RedisServer old = pair.master();
    RedisServer preferred = pair.addPreferredReplica();
    var coupon = world.define(aCoupon().withTotal(QUANTITY));
    var crowd = world.crowd(coupon, Users.some(QUANTITY + 1_000)).awaitMidBurst(500);

    fault.strike(
        crowd,
        () -> {
          // The claims do not reach the database either. A broker that is only paused would
          // receive, when it continues, what was written to its connections.
          world.amqp().kill();
          pair.stallPreferredReplica();
          // Claims in flight may already be on that replica, so new users claim.
          world.crowdWithoutRetries(coupon, Users.some(3 * MANY)).awaitEnd();
          awaitClaimsThatOneReplicaLacks(pair.replica(), preferred, coupon);
          old.kill();
        });
    pair.awaitMaster(preferred);
    fault.mend(() -> {
      world.amqp().restart();
      old.restart();
    });
    crowd.join();

    assertThat(world.record().claimsOf(coupon))
        .as("claims that one replica has not acknowledged")
        .anySatisfy(claim -> assertThat(claim.outcome()).isEqualTo("outcome-unknown"));
    assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(QUANTITY);
  }

  private static void awaitClaimsThatOneReplicaLacks(
      RedisServer replica, RedisServer preferred, String coupon) {
    Await.until(
        LIMIT,
        "claims that the preferred replica does not have",
        () -> allocated(replica, coupon) > allocated(preferred, coupon) + MANY);
  }

  private static long allocated(RedisServer redis, String coupon) {
    return redis
        .command("KEYS", "firstcome:{*}:coupon:" + coupon + ":ledger")
        .lines()
        .filter(key -> !key.isEmpty())
        .mapToLong(key -> Long.parseLong(redis.command("HLEN", key)))
        .sum();
  }
}
