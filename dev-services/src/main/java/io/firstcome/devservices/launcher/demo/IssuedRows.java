package io.firstcome.devservices.launcher.demo;

import io.firstcome.devservices.server.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The rows of one coupon, read from the database itself and not through the service. */
public final class IssuedRows {

  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  private final PostgresServer postgres;
  private final String couponId;

  public IssuedRows(PostgresServer postgres, String couponId) {
    this.postgres = postgres;
    this.couponId = couponId;
  }

  /**
   * The properties of the rows.
   *
   * @param slotsInRange whether each slot is between 1 and the quantity
   * @param usersAccepted whether the claim of each user was answered with "accepted"
   */
  record Finding(
      int rows, int distinctUsers, int distinctSlots, boolean slotsInRange, boolean usersAccepted) {

    /** The differences from the rows of so many users with a slot each. */
    List<String> faults(int stock, int expected) {
      List<String> faults = new ArrayList<>();
      Difference.add(faults, "rows", rows, expected);
      Difference.add(faults, "distinct users", distinctUsers, expected);
      Difference.add(faults, "distinct slots", distinctSlots, expected);
      if (!slotsInRange) {
        faults.add("a slot is outside 1 to %d".formatted(stock));
      }
      if (!usersAccepted) {
        faults.add("a row belongs to a user whose claim was not accepted");
      }
      return faults;
    }
  }

  /**
   * Waits until the expected number of rows exists.
   *
   * @param stopWaiting asked before each poll; true ends the wait
   * @return the {@link System#nanoTime()} when they were first seen, or Long.MAX_VALUE
   */
  public long awaitRows(int expected, BooleanSupplier stopWaiting) {
    try (Connection connection = postgres.connect();
        PreparedStatement count =
            connection.prepareStatement(
                "SELECT count(*) FROM user_coupon_text WHERE coupon_id = ?")) {
      count.setString(1, couponId);
      while (!stopWaiting.getAsBoolean()) {
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

  public Finding find(int stock, Set<String> acceptedUsers) {
    int rows = 0;
    boolean inRange = true;
    Set<String> users = new HashSet<>();
    Set<Integer> slots = new HashSet<>();
    try (Connection connection = postgres.connect();
        PreparedStatement query =
            connection.prepareStatement(
                "SELECT user_id, slot FROM user_coupon_text WHERE coupon_id = ?")) {
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
