package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.AppendOnlyFile;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Redis is restarted or replaced, with its data or without. */
@ExtendWith(QuietLogs.class)
class RedisFaultIT {

  /** Far above the one or two seconds of a recovery, and too short for an outage. */
  private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(20);

  private final World world = World.get();

  @Scenario(
      number = "7",
      fault = "Redis killed (SIGKILL) during a burst, with `appendfsync always`",
      guards = "recover-other-run")
  void a_killed_redis_loses_no_claim_and_needs_no_operator(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(2_000));
    var crowd = world.crowd(coupon, Users.some(4_000)).awaitMidBurst(500);

    fault.strike(crowd, world.redis()::kill);
    fault.mend(world.redis()::restart);
    crowd.join();

    assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(2_000);
    assertThat(world.record().claimsOf(coupon))
        .as("claims refused because of the fault")
        .anySatisfy(claim -> assertThat(claim.status()).isEqualTo(503));
    assertThat(fault.back()).as("time without an accepted claim").isLessThan(RECOVERY_LIMIT);
  }

  @Tag("faults")
  @Scenario(
      number = "11a",
      fault = "Redis replaced by an empty one while users repeat their claims",
      guards = "rebuild-taken")
  void a_redis_replaced_by_an_empty_one_is_rebuilt_before_it_issues_slots(Fault fault) {
    loseAllDataWhileUsersRetry(
        world,
        fault,
        () -> {
          world.redis().kill();
          AppendOnlyFile.of(world).delete();
          world.redis().restart();
        });
  }

  @Scenario(
      number = "11b",
      fault = "Redis emptied (FLUSHALL) while users repeat their claims",
      guards = "rebuild-taken")
  void a_flushed_redis_is_rebuilt_before_it_issues_slots(Fault fault) {
    loseAllDataWhileUsersRetry(world, fault, () -> world.redis().command("FLUSHALL"));
  }

  /** The load comes from users who already have rows, so that no accepted claim is lost. */
  static void loseAllDataWhileUsersRetry(World world, Fault fault, Runnable loss) {
    var coupon = world.define(aCoupon().withTotal(400));
    var first = Users.some(300);
    world.crowd(coupon, first).join();
    assertExact(world, coupon);
    var again = nCopies(8, first).stream().flatMap(List::stream).toList();
    var crowd = world.crowd(coupon, again).awaitMidBurst(500);

    fault.strike(crowd, loss);
    fault.healsAutomatically();
    var later = Users.some(300);
    world.crowd(coupon, later).join();
    crowd.join();

    assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(400);
    var claims = world.record().claimsOf(coupon);
    assertThat(claims)
        .as("claims refused before the stock was rebuilt")
        .anySatisfy(claim -> assertThat(claim.outcome()).isEqualTo("recovering"));
    assertThat(claims.stream().filter(claim -> claim.outcome().equals("ACCEPTED"))).hasSize(400);
  }
}
