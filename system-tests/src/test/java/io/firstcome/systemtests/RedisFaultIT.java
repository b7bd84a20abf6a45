package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponFixtures.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Redis goes and comes back, with its data or without. */
@ExtendWith(QuietLogs.class)
class RedisFaultIT {

  /**
   * Far above the second or two of a recovery, and far below what a person would call an outage.
   */
  private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(20);

  private final World world = World.get();

  @Test
  void a_restart_with_data_loses_nothing_and_needs_nobody() {
    var coupon = world.define(aCoupon().withTotal(2_000));
    var crowd = world.crowd(coupon, Users.some(4_000)).awaitMidBurst(500);

    int inFlight = crowd.inFlight();
    world.redis().restart();
    assertThat(inFlight).as("requests under way at the fault").isPositive();
    crowd.join();

    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(2_000);
    var claims = world.record().claimsOf(coupon);
    assertThat(claims)
        .as("claims that met the fault")
        .anySatisfy(claim -> assertThat(claim.status()).isEqualTo(503));
    assertThat(outage(claims)).as("time without a taken claim").isLessThan(RECOVERY_LIMIT);
  }

  @Test
  void an_emptied_redis_issues_nothing_until_it_is_rebuilt_and_then_exactly_the_rest() {
    var coupon = world.define(aCoupon().withTotal(400));
    var before = Users.some(300);
    world.crowd(coupon, before).join();
    assertExact(world, coupon);

    world.redis().command("FLUSHALL");
    var later = Users.some(300);
    world.crowd(coupon, Stream.concat(before.stream(), later.stream()).toList()).join();

    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(400);
    var claims = world.record().claimsOf(coupon);
    assertThat(claims)
        .as("claims that met the empty stock")
        .anySatisfy(claim -> assertThat(claim.outcome()).isEqualTo("recovering"));
    var again = claims.stream().filter(RecordedClaim::isOk).skip(before.size()).toList();
    assertThat(again.stream().filter(claim -> claim.outcome().equals("ALREADY_ISSUED")))
        .as("users who had it before")
        .hasSize(before.size());
    assertThat(again.stream().filter(claim -> claim.outcome().equals("ACCEPTED"))).hasSize(100);
  }

  /** The longest time between the ends of two requests that were answered with a slot. */
  private static Duration outage(List<RecordedClaim> claims) {
    long[] ends =
        claims.stream()
            .filter(RecordedClaim::isOk)
            .mapToLong(RecordedClaim::endNanos)
            .sorted()
            .toArray();
    long longest = 0;
    for (int i = 1; i < ends.length; i++) {
      longest = Math.max(longest, ends[i] - ends[i - 1]);
    }
    return Duration.ofNanos(longest);
  }
}
