package io.firstcome.systemtests.kit;

import io.firstcome.devservices.server.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The state of one coupon in the database, read from the database and not from the service.
 *
 * @param epoch of the coupon's partition, which each recovery raises
 * @param lateUsers users whose claim still waits for a slot
 * @param rejectedUsers users whose claim was accepted and then rejected, the counted losses
 * @param setAside claims in dead letters
 * @param slotsToReturn slots of ended user coupons that are not recorded as released
 */
public record StoredCoupon(
    String couponId,
    int total,
    long epoch,
    List<Row> rows,
    Set<String> lateUsers,
    Set<String> rejectedUsers,
    long setAside,
    long slotsToReturn) {

  /**
   * One user coupon.
   *
   * @param live whether it occupies its slot
   */
  public record Row(
      String userCouponId, int slot, String user, String code, String state, boolean live) {}

  /** Reads everything in one snapshot. */
  public static StoredCoupon read(PostgresServer postgres, String couponId) {
    try (Connection connection = postgres.connect()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      return new StoredCoupon(
          couponId,
          Math.toIntExact(
              number(
                  connection, "SELECT total_quantity FROM coupon WHERE coupon_id = ?", couponId)),
          number(
              connection,
              "SELECT epoch FROM stock_partition NATURAL JOIN coupon WHERE coupon_id = ?",
              couponId),
          rows(connection, couponId),
          texts(connection, "SELECT user_id FROM late_claim WHERE coupon_id = ?", couponId),
          texts(connection, "SELECT user_id FROM rejected_claim WHERE coupon_id = ?", couponId),
          number(
              connection,
              "SELECT coalesce(sum(cardinality(user_ids)), 0) FROM dead_letter WHERE coupon_id = ?",
              couponId),
          number(
              connection,
              "SELECT count(*) FROM user_coupon_text"
                  + " WHERE NOT live AND NOT slot_released AND coupon_id = ?",
              couponId));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the rows of " + couponId, e);
    }
  }

  /** The codes of all user coupons of all coupons. */
  static Set<String> allCodes(PostgresServer postgres) {
    try (Connection connection = postgres.connect()) {
      return texts(connection, "SELECT code FROM user_coupon_text WHERE coupon_id <> ?", "");
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the codes", e);
    }
  }

  /** Rows that occupy a slot. */
  public long liveRows() {
    return rows.stream().filter(Row::live).count();
  }

  private static long number(Connection connection, String sql, String couponId)
      throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, couponId);
      try (ResultSet found = query.executeQuery()) {
        if (!found.next()) {
          throw new IllegalStateException("no coupon " + couponId);
        }
        return found.getLong(1);
      }
    }
  }

  private static List<Row> rows(Connection connection, String couponId) throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT user_coupon_id, slot, user_id, code, state, live FROM user_coupon_text"
                + " WHERE coupon_id = ? ORDER BY slot")) {
      query.setString(1, couponId);
      try (ResultSet found = query.executeQuery()) {
        while (found.next()) {
          rows.add(
              new Row(
                  found.getString(1),
                  found.getInt(2),
                  found.getString(3),
                  found.getString(4),
                  found.getString(5),
                  found.getBoolean(6)));
        }
      }
    }
    return List.copyOf(rows);
  }

  private static Set<String> texts(Connection connection, String sql, String couponId)
      throws SQLException {
    Set<String> texts = new HashSet<>();
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, couponId);
      try (ResultSet found = query.executeQuery()) {
        while (found.next()) {
          texts.add(found.getString(1));
        }
      }
    }
    return Set.copyOf(texts);
  }
}
