package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static io.firstcome.systemtests.kit.Exactness.assertExactInOrder;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Coupons with their stock in Redis and in PostgreSQL, in one deployment. */
@ExtendWith(QuietLogs.class)
class BothBackendsIT {

  private final World world = World.get();

  private static CouponRequests aCouponInPostgres() {
    return aCoupon().withTotal(300).with("stockBackend", "\"postgres\"");
  }

  @Test
  void both_backends_are_exact_and_claims_in_postgres_are_issued_immediately() {
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
  void a_late_claim_of_a_coupon_in_postgres_is_settled_with_a_row() throws SQLException {
    var coupon = world.define(aCouponInPostgres());
    world.crowd(coupon, Users.some(10)).join();
    addLateClaim(coupon, "latecomer", 5);

    Await.until(
        World.REST_LIMIT,
        "the late claim is settled",
        () -> StoredCoupon.read(world.postgres(), coupon).lateUsers().isEmpty());
    assertThat(StoredCoupon.read(world.postgres(), coupon).rows())
        .filteredOn(row -> row.user().equals("latecomer"))
        .singleElement()
        .extracting(StoredCoupon.Row::slot)
        .isEqualTo(11);
  }

  /** A late claim of such a coupon arises only from a message that the service never publishes. */
  private void addLateClaim(String coupon, String user, int promised) throws SQLException {
    try (var connection = world.postgres().connect();
        var add =
            connection.prepareStatement(
                "INSERT INTO late_claim SELECT coupon_id, ?, ?, partition_id, now()"
                    + " FROM coupon WHERE coupon_id = ?")) {
      add.setString(1, user);
      add.setInt(2, promised);
      add.setString(3, coupon);
      assertThat(add.executeUpdate()).isEqualTo(1);
    }
  }

  /** Most of their states are not read, as only a few are read at a time. */
  @Test
  void concurrent_repeats_of_a_claim_whose_row_is_the_stock_are_already_issued() {
    var coupon = world.define(aCouponInPostgres());
    var claim = Call.claim(coupon).as("ann");
    assertThat(world.send(claim).text("outcome")).isEqualTo("ISSUED");

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var repeats =
          IntStream.range(0, 100).mapToObj(i -> threads.submit(() -> world.send(claim))).toList();
      assertThat(repeats)
          .allSatisfy(
              repeat -> assertThat(repeat.get().text("outcome")).isEqualTo("ALREADY_ISSUED"));
    }
  }

  @Test
  void while_redis_is_down_coupons_in_postgres_are_claimed_as_usual() {
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
