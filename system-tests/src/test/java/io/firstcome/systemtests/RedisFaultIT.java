package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponFixtures.aCoupon;
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

/** Redis goes and comes back, with its data or without. */
@ExtendWith(QuietLogs.class)
class RedisFaultIT {

  /**
   * Far above the second or two of a recovery, and far below what a person would call an outage.
   */
  private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(20);

  private final World world = World.get();

  @Scenario(
      number = "7",
      fault = "Redis killed (SIGKILL) in mid-burst, `appendfsync always`",
      guards = "recover-other-run")
  void a_killed_redis_loses_nothing_and_needs_nobody(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(2_000));
    var crowd = world.crowd(coupon, Users.some(4_000)).awaitMidBurst(500);

    fault.strike(crowd, world.redis()::kill);
    fault.mend(world.redis()::restart);
    crowd.join();

    assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(2_000);
    assertThat(world.record().claimsOf(coupon))
        .as("claims that met the fault")
        .anySatisfy(claim -> assertThat(claim.status()).isEqualTo(503));
    assertThat(fault.back()).as("time without a taken claim").isLessThan(RECOVERY_LIMIT);
  }

  @Tag("faults")
  @Scenario(
      number = "11a",
      fault = "an empty Redis in the place of the full one while users ask again",
      guards = "rebuild-taken")
  void an_empty_redis_is_rebuilt_before_it_issues_anything(Fault fault) {
    loseAllWhileUsersAskAgain(
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
      fault = "Redis emptied (FLUSHALL) while users ask again",
      guards = "rebuild-taken")
  void an_emptied_redis_is_rebuilt_before_it_issues_anything(Fault fault) {
    loseAllWhileUsersAskAgain(world, fault, () -> world.redis().command("FLUSHALL"));
  }

  /** Under a load of users who have it already, so that nothing accepted is without a row. */
  static void loseAllWhileUsersAskAgain(World world, Fault fault, Runnable loss) {
    var coupon = world.define(aCoupon().withTotal(400));
    var first = Users.some(300);
    world.crowd(coupon, first).join();
    assertExact(world, coupon);
    var again = nCopies(8, first).stream().flatMap(List::stream).toList();
    var crowd = world.crowd(coupon, again).awaitMidBurst(500);

    fault.strike(crowd, loss);
    fault.healsByItself();
    var later = Users.some(300);
    world.crowd(coupon, later).join();
    crowd.join();

    assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(400);
    var claims = world.record().claimsOf(coupon);
    assertThat(claims)
        .as("claims that met the empty stock")
        .anySatisfy(claim -> assertThat(claim.outcome()).isEqualTo("recovering"));
    assertThat(claims.stream().filter(claim -> claim.outcome().equals("ACCEPTED"))).hasSize(400);
  }
}
