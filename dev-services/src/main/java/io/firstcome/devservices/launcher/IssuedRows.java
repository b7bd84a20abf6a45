package io.firstcome.devservices.launcher;

import io.firstcome.devservices.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** What the database holds of one coupon, asked of the database itself and not of the service. */
final class IssuedRows {

  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  private final PostgresServer postgres;
  private final String couponId;

  IssuedRows(PostgresServer postgres, String couponId) {
    this.postgres = postgres;
    this.couponId = couponId;
  }

  /**
   * What the rows say.
   *
   * @param slotsInRange whether each slot is one of 1 to the stock
   * @param usersAccepted whether each user was told "accepted"
   */
  record Finding(
      int rows,
      int distinctUsers,
      int distinctSlots,
      boolean slotsInRange,
      boolean usersAccepted) {}

  /**
   * Waits until there are that many rows.
   *
   * @param givenUp read at each turn: ends the waiting
   * @return when they were first seen, by {@link System#nanoTime()}, or Long.MAX_VALUE if never
   */
  long awaitRows(int expected, AtomicBoolean givenUp) {
    try (Connection connection = postgres.connect();
        PreparedStatement count =
            connection.prepareStatement("SELECT count(*) FROM user_coupon WHERE coupon_id = ?")) {
      count.setString(1, couponId);
      while (!givenUp.get()) {
        try (ResultSet counted = count.executeQuery()) {
          if (counted.next() && counted.getInt(1) >= expected) {
            return System.nanoTime();
          }
        }
        TimeUnit.NANOSECONDS.sleep(POLL_INTERVAL.toNanos());
      }
      return Long.MAX_VALUE;
    } catch (SQLException e) {
      throw new IllegalStateException("cannot count the rows of " + couponId, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Long.MAX_VALUE;
    }
  }

  Finding find(int stock, Set<String> acceptedUsers) {
    int rows = 0;
    boolean inRange = true;
    Set<String> users = new HashSet<>();
    Set<Integer> slots = new HashSet<>();
    try (Connection connection = postgres.connect();
        PreparedStatement query =
            connection.prepareStatement(
                "SELECT user_id, slot FROM user_coupon WHERE coupon_id = ?")) {
      query.setString(1, couponId);
      try (ResultSet found = query.executeQuery()) {
        while (found.next()) {
          rows++;
          users.add(found.getString(1));
          int slot = found.getInt(2);
          slots.add(slot);
          inRange &= slot >= 1 && slot <= stock;
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the rows of " + couponId, e);
    }
    return new Finding(rows, users.size(), slots.size(), inRange, acceptedUsers.containsAll(users));
  }
}
