package io.firstcome.systemtests.kit;

import io.firstcome.devservices.server.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A snapshot of one coupon's row and of the end of its audit. Restoring it simulates a restored
 * database that has lost only the operators' changes since. It is done with SQL: restored files
 * would lose claims too, and the recovery that heals those would also apply the terms and hide the
 * fault.
 */
public final class PastCoupon {

  private final PostgresServer postgres;
  private final String couponId;
  private final int total;
  private final String status;
  private final int revision;
  private final int stockRevision;
  private final long lastAuditEntry;

  private PastCoupon(PostgresServer postgres, String couponId) {
    this.postgres = postgres;
    this.couponId = couponId;
    try (Connection connection = postgres.connect();
        var query =
            connection.prepareStatement(
                "SELECT total_quantity, status, revision, stock_revision,"
                    + " (SELECT coalesce(max(audit_entry_id), 0) FROM audit_entry)"
                    + " FROM coupon WHERE coupon_id = ?")) {
      query.setString(1, couponId);
      try (var found = query.executeQuery()) {
        if (!found.next()) {
          throw new IllegalStateException("no coupon " + couponId);
        }
        total = found.getInt(1);
        status = found.getString(2);
        revision = found.getInt(3);
        stockRevision = found.getInt(4);
        lastAuditEntry = found.getLong(5);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read coupon " + couponId, e);
    }
  }

  /** Takes a snapshot of the coupon. */
  public static PastCoupon of(World world, String couponId) {
    return new PastCoupon(world.postgres(), couponId);
  }

  /** Restores the snapshot. */
  public void putBack() {
    try (Connection connection = postgres.connect();
        var row =
            connection.prepareStatement(
                "UPDATE coupon SET total_quantity = ?, status = ?, revision = ?, stock_revision = ?"
                    + " WHERE coupon_id = ?");
        var audit =
            connection.prepareStatement(
                "DELETE FROM audit_entry WHERE coupon_id = ? AND user_coupon_id IS NULL"
                    + " AND audit_entry_id > ?")) {
      row.setInt(1, total);
      row.setString(2, status);
      row.setInt(3, revision);
      row.setInt(4, stockRevision);
      row.setString(5, couponId);
      row.executeUpdate();
      audit.setString(1, couponId);
      audit.setLong(2, lastAuditEntry);
      audit.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException("cannot restore coupon " + couponId, e);
    }
  }
}
