package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponFixtures.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static io.firstcome.systemtests.kit.Exactness.assertExactInOrder;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.CouponFixtures;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Coupons in Redis and in PostgreSQL beside each other, in one deployment. */
@ExtendWith(QuietLogs.class)
class BothBackendsIT {

  private final World world = World.get();

  private static CouponFixtures aCouponInPostgres() {
    return aCoupon().withTotal(300).with("stockBackend", "\"postgres\"");
  }

  @Test
  void each_is_exact_and_one_of_them_is_issued_at_once() {
    var inPostgres = world.define(aCouponInPostgres());
    var inRedis = world.define(aCoupon().withTotal(300));
    var ones = world.crowd(inPostgres, Users.some(600));
    var others = world.crowd(inRedis, Users.some(600));
    ones.join();
    others.join();

    assertThat(assertExactInOrder(world, inPostgres).liveRows()).isEqualTo(300);
    assertThat(assertExactInOrder(world, inRedis).liveRows()).isEqualTo(300);
    assertThat(world.record().claimsOf(inPostgres).stream().filter(RecordedClaim::isOk))
        .allSatisfy(claim -> assertThat(claim.status()).isEqualTo(201));
  }

  @Test
  void without_redis_what_is_in_postgres_is_claimed_as_ever() {
    var coupon = world.define(aCouponInPostgres());
    world.redis().kill();
    try {
      world.crowd(coupon, Users.some(600)).join();
      assertThat(world.record().claimsOf(coupon))
          .allSatisfy(claim -> assertThat(claim.status()).isIn(201, 409));
    } finally {
      world.mend();
    }
    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(300);
  }
}
