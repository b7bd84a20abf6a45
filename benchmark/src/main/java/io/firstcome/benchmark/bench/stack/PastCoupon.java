package io.firstcome.benchmark.bench.stack;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * An archived coupon whose user coupons are due for removal. The service removes them, unless the
 * coupon's row is locked.
 */
public final class PastCoupon {

  private static final String END_NOW =
      """
      UPDATE coupon SET opens_at = '2020-01-01', closes_at = '2020-01-03',
        changed_at = now() - interval '25 hours'
      WHERE coupon_id = ?
      """;

  private static final String ADD_ROWS =
      """
      INSERT INTO user_coupon (tag, code, coupon_number, slot, user_id, issued_at, expires_at, state)
      SELECT substr(sha256(code), 1, 10), code, coupon_number, n, 'past-user-' || n, '2020-01-02', '2020-02-01',
        'EXPIRED'
      FROM coupon, generate_series(1, ?) AS n, decode(to_char(n, 'FM00000000000000000000'), 'hex') AS code
      WHERE coupon_id = ?
      """;

  private final ServiceStack stack;
  private final String couponId;

  private PastCoupon(ServiceStack stack, String couponId) {
    this.stack = stack;
    this.couponId = couponId;
  }

  /** Defines a coupon, archives it, and adds this number of expired user coupons. */
  static PastCoupon create(ServiceStack stack, int userCoupons) {
    String couponId = stack.define(userCoupons);
    stack.operate(couponId, "close");
    stack.operate(couponId, "archive");
    var coupon = new PastCoupon(stack, couponId);
    try (Connection connection = stack.postgres().connect()) {
      try (var rows = connection.prepareStatement(ADD_ROWS)) {
        rows.setInt(1, userCoupons);
        rows.setString(2, couponId);
        rows.executeUpdate();
      }
      try (var statement = connection.createStatement()) {
        statement.execute("VACUUM (ANALYZE) user_coupon");
      }
      try (var end = connection.prepareStatement(END_NOW)) {
        end.setString(1, couponId);
        end.executeUpdate();
      }
      return coupon;
    } catch (SQLException e) {
      throw new IllegalStateException("cannot add user coupons of the past", e);
    }
  }

  /** How many of its user coupons were removed. */
  public long removed() {
    try (Connection connection = stack.postgres().connect();
        var query =
            connection.prepareStatement(
                "SELECT removed_user_coupons FROM coupon WHERE coupon_id = ?")) {
      query.setString(1, couponId);
      try (var found = query.executeQuery()) {
        found.next();
        return found.getLong(1);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the coupon", e);
    }
  }

  /**
   * Waits until some more are removed.
   *
   * @throws IllegalStateException on timeout
   */
  public void awaitRemoval(Duration limit) {
    long before = removed();
    stack.await(limit, () -> removed() > before, "no user coupons were removed");
  }

  /** Runs the work while the coupon's row is locked. */
  public void withoutRemoval(Runnable work) {
    try (Connection connection = stack.postgres().connect()) {
      connection.setAutoCommit(false);
      try (var lock =
          connection.prepareStatement("SELECT FROM coupon WHERE coupon_id = ? FOR UPDATE")) {
        lock.setString(1, couponId);
        lock.executeQuery().close();
      }
      work.run();
      connection.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException("cannot lock the coupon", e);
    }
  }
}
