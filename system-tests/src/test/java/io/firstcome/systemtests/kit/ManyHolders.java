package io.firstcome.systemtests.kit;

import java.sql.SQLException;

/**
 * A coupon with rows of user coupons that were never claimed. It is a draft, without stock, so that
 * they are no discrepancy.
 */
public final class ManyHolders implements AutoCloseable {

  private final Deployment deployment;
  private final String couponId;

  private ManyHolders(Deployment deployment, String couponId) {
    this.deployment = deployment;
    this.couponId = couponId;
  }

  /** Defines a coupon that so many users have. */
  public static ManyHolders of(Deployment deployment, int number) throws SQLException {
    var coupon = CouponRequests.aCoupon().withTotal(number).with("draft", "true");
    var holders = new ManyHolders(deployment, deployment.define(coupon));
    holders.execute(
        """
        INSERT INTO user_coupon
          (tag, code, coupon_number, slot, user_id, issued_at, expires_at)
        SELECT substr(sha256(code), 1, 10), code, coupon_number, n, 'user-' || n, now(), now() + interval '1 day'
        FROM coupon, generate_series(1, %d) AS n, decode(to_char(n, 'FM00000000000000000000'), 'hex') AS code
        WHERE coupon_id = '%s'
        """
            .formatted(number, holders.couponId));
    return holders;
  }

  public String couponId() {
    return couponId;
  }

  private void execute(String sql) throws SQLException {
    try (var connection = deployment.postgres().connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Removes the rows. */
  @Override
  public void close() throws SQLException {
    execute(
        "DELETE FROM user_coupon USING coupon WHERE user_coupon.coupon_number = coupon.coupon_number AND coupon_id = '%s'"
            .formatted(couponId));
  }
}
