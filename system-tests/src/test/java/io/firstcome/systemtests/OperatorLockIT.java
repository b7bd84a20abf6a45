package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Backlog;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** An operator leaves a transaction open in psql. */
@Tag("faults")
@ExtendWith(QuietLogs.class)
class OperatorLockIT {

  /**
   * A batch waits six seconds for the lock, then its part with the locked coupon waits once more.
   */
  private static final Duration CONTINUES_WITHIN = Duration.ofSeconds(20);

  private static final String COUPON_ROW = "SELECT FROM coupon WHERE coupon_id = ? FOR UPDATE";

  private static final String PARTITION_ROW =
      """
      SELECT FROM stock_partition JOIN coupon USING (partition_id) WHERE coupon_id = ?
      FOR UPDATE OF stock_partition
      """;

  /** To define a coupon in another partition; one in eight is in the same. */
  private static final int MAX_ATTEMPTS = 20;

  private static final int QUANTITY = 6_000;
  private static final int MANY = 7_000;

  private final World world = World.get();

  @Scenario(
      number = "38j",
      fault = "an operator's transaction in psql keeps the row of one of two partitions locked",
      guards = "record-locked-coupon")
  void a_locked_partition_row_delays_only_its_own_coupons(Fault fault) throws SQLException {
    var locked = world.define(aCoupon().withTotal(QUANTITY));
    var other = defineOutside(partitionOf(locked));
    var crowdOfLocked = world.crowd(locked, Users.some(MANY)).awaitMidBurst(500);
    var crowdOfOther = world.crowd(other, Users.some(MANY));

    try (var operator = world.postgres().connect()) {
      operator.setAutoCommit(false);
      fault.strike(crowdOfLocked, () -> lock(operator, PARTITION_ROW, locked));
      crowdOfLocked.join();
      crowdOfOther.join();

      Await.until(
          CONTINUES_WITHIN, "all rows of the other coupon", () -> liveRows(other) == QUANTITY);
      Await.until(
          CONTINUES_WITHIN,
          () -> "empty logs and queues: " + backlog().counts(),
          () -> backlog().violations().isEmpty());
      assertThat(liveRows(locked)).isLessThan(QUANTITY);
      fault.mend(() -> rollBack(operator));
    }

    assertThat(fault.exactInOrder(world, locked).liveRows()).isEqualTo(QUANTITY);
    assertThat(fault.exactInOrder(world, other).liveRows()).isEqualTo(QUANTITY);
    for (var coupon : List.of(locked, other)) {
      assertThat(world.record().claimsOf(coupon))
          .as("claims are answered while the row is locked")
          .allSatisfy(claim -> assertThat(claim.status()).isLessThan(500).isPositive());
    }
  }

  @Scenario(
      number = "38k",
      fault = "an operator's transaction in psql keeps the row of a coupon locked",
      guards = "record-without-coupon-lock")
  void a_locked_coupon_row_delays_no_row_of_its_user_coupons(Fault fault) throws SQLException {
    var coupon = world.define(aCoupon().withTotal(QUANTITY));
    var crowd = world.crowd(coupon, Users.some(MANY)).awaitMidBurst(500);

    try (var operator = world.postgres().connect()) {
      operator.setAutoCommit(false);
      fault.strike(crowd, () -> lock(operator, COUPON_ROW, coupon));
      crowd.join();

      Await.until(CONTINUES_WITHIN, "all rows of the coupon", () -> liveRows(coupon) == QUANTITY);
      fault.mend(() -> rollBack(operator));
    }

    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(QUANTITY);
  }

  private String defineOutside(int partition) throws SQLException {
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      var coupon = world.define(aCoupon().withTotal(QUANTITY));
      if (partitionOf(coupon) != partition) {
        return coupon;
      }
    }
    throw new IllegalStateException("every coupon is in partition " + partition);
  }

  private int partitionOf(String coupon) throws SQLException {
    try (var connection = world.postgres().connect();
        var select =
            connection.prepareStatement("SELECT partition_id FROM coupon WHERE coupon_id = ?")) {
      select.setString(1, coupon);
      try (var found = select.executeQuery()) {
        found.next();
        return found.getInt(1);
      }
    }
  }

  private Backlog backlog() {
    return Backlog.read(world.redis(), world.amqp());
  }

  private long liveRows(String coupon) {
    return StoredCoupon.read(world.postgres(), coupon).liveRows();
  }

  private static void lock(Connection operator, String row, String coupon) {
    try (var select = operator.prepareStatement(row)) {
      select.setString(1, coupon);
      select.execute();
    } catch (SQLException e) {
      throw new IllegalStateException("the operator cannot lock the row", e);
    }
  }

  private static void rollBack(Connection operator) {
    try {
      operator.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException("the operator's session has ended", e);
    }
  }
}
