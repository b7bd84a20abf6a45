package io.firstcome.systemtests.kit;

import java.sql.SQLException;

/**
 * Rows of user coupons that were never claimed: those of {@code user-1} with slot 1, of {@code
 * user-2} with slot 2, and so on. At most one coupon of a database can have them.
 */
public final class ManyHolders implements AutoCloseable {

  private final Deployment deployment;
  private final String couponId;

  private ManyHolders(Deployment deployment, String couponId) {
    this.deployment = deployment;
    this.couponId = couponId;
  }

  /**
   * Defines a coupon that so many users have. It is a draft, without stock, so that the rows are no
   * discrepancy.
   */
  public static ManyHolders ofDraft(Deployment deployment, int number) throws SQLException {
    var coupon = CouponRequests.aCoupon().withTotal(number).with("draft", "true");
    return of(deployment, deployment.define(coupon), number);
  }

  /**
   * The same for a coupon without user coupons. The rows are a discrepancy until Redis loses its
   * data or is restarted.
   */
  public static ManyHolders of(Deployment deployment, String couponId, int number)
      throws SQLException {
    var holders = new ManyHolders(deployment, couponId);
    holders.execute(
        """
        INSERT INTO user_coupon
          (tag, code, coupon_number, slot, user_id, issued_at, expires_at)
        SELECT substr(sha256(code), 1, 10), code, coupon_number, n, 'user-' || n, now(), now() + interval '1 day'
        FROM coupon, generate_series(1, %d) AS n, decode(to_char(n, 'FM00000000000000000000'), 'hex') AS code
        WHERE coupon_id = '%s'
        """
            .formatted(number, couponId));
    // Autovacuum does this in production, where rows are inserted in batches.
    holders.execute("VACUUM (ANALYZE) user_coupon");
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

  /** Removes the rows: the end of a test class searches the logs for the codes of all rows. */
  @Override
  public void close() throws SQLException {
    execute(
        "DELETE FROM user_coupon USING coupon WHERE user_coupon.coupon_number = coupon.coupon_number AND coupon_id = '%s'"
            .formatted(couponId));
  }
}
