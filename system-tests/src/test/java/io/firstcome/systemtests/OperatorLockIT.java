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

  private static final int QUANTITY = 6_000;
  private static final int MANY = 7_000;

  private final World world = World.get();

  @Scenario(
      number = "38j",
      fault = "an operator's transaction in psql keeps the row of one of two coupons locked",
      guards = "record-locked-coupon")
  void a_locked_coupon_row_delays_only_its_own_coupon(Fault fault) throws SQLException {
    var locked = world.define(aCoupon().withTotal(QUANTITY));
    var other = world.define(aCoupon().withTotal(QUANTITY));
    var crowdOfLocked = world.crowd(locked, Users.some(MANY)).awaitMidBurst(500);
    var crowdOfOther = world.crowd(other, Users.some(MANY));

    try (var operator = world.postgres().connect()) {
      operator.setAutoCommit(false);
      fault.strike(crowdOfLocked, () -> lockRow(operator, locked));
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

  private Backlog backlog() {
    return Backlog.read(world.redis(), world.amqp());
  }

  private long liveRows(String coupon) {
    return StoredCoupon.read(world.postgres(), coupon).liveRows();
  }

  private static void lockRow(Connection operator, String coupon) {
    try (var select =
        operator.prepareStatement("SELECT FROM coupon WHERE coupon_id = ? FOR UPDATE")) {
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
