package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QueuedClaimMessages;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Redis does not have the scripts that are called (NOSCRIPT). */
@Tag("faults")
@ExtendWith(QuietLogs.class)
class RedisScriptsFaultIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** The limit for an accepted claim after Redis has lost its scripts. */
  private static final Duration ACCEPTED_WITHIN = Duration.ofSeconds(2);

  private static final int MANY = 30_000;
  private static final int FLUSHES = 5;

  @Scenario(
      number = "37a",
      fault =
          "an upgrade in which only `claim.lua` and `replicate.lua` differ: the new instance starts"
              + " beside the old one, which is then stopped",
      guards = "claim-scripts-known")
  void a_release_with_other_scripts_accepts_claims_beside_the_old_release_and_alone(Fault fault) {
    World world = World.get();
    try (ServiceProcess next =
        World.ready(
            world.startOtherRelease("other-release", Set.of("claim.lua", "replicate.lua")))) {
      var coupon = world.define(aCoupon().withTotal(2 * MANY));
      var crowd = world.crowd(coupon, Users.some(MANY), world.service(), next).awaitMidBurst(500);

      fault.strike(crowd, world.service()::stop);
      fault.healsAutomatically();
      crowd.join();
      world.service().restart();
      World.ready(world.service());

      assertThat(world.record().claimsOf(coupon))
          .as("claims refused because of a missing script")
          .noneSatisfy(claim -> assertThat(claim.outcome()).isEqualTo("recovering"));
      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(MANY);
    } finally {
      world.mend();
    }
  }

  /** PostgreSQL is unreachable too, so no instance can read an epoch. */
  @Scenario(
      number = "37b",
      fault = "repeated SCRIPT FLUSH during a burst, while PostgreSQL is unreachable",
      guards = "claim-scripts-any")
  void claims_continue_after_redis_has_lost_its_scripts(Fault fault) {
    World world = World.behindProxies();
    try (var messages = QueuedClaimMessages.at(world.amqp())) {
      var coupon = world.define(aCoupon().withTotal(2 * MANY));
      var crowd = world.crowd(coupon, Users.some(MANY)).awaitMidBurst(500);
      world.links().postgres().refuse();
      Await.until(LIMIT, "messages wait in the queue", () -> messages.waiting() > 0);

      for (int i = 0; i < FLUSHES; i++) {
        fault.strike(crowd, () -> world.redis().command("SCRIPT", "FLUSH"));
        awaitClaimAcceptedAfter(System.nanoTime(), world, coupon);
      }
      fault.mend(world.links().postgres()::heal);
      crowd.join();

      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(MANY);
    } finally {
      world.mend();
    }
  }

  private static void awaitClaimAcceptedAfter(long nanos, World world, String coupon) {
    Await.until(
        ACCEPTED_WITHIN,
        "a claim accepted after the scripts were lost",
        () ->
            world.record().claimsOf(coupon).stream()
                .filter(RecordedClaim::isOk)
                .anyMatch(claim -> claim.beginNanos() > nanos));
  }
}
