package io.firstcome.systemtests.kit;

import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The state of the partitions, read from Redis and the database and not from the service. */
final class Fences {

  private Fences() {}

  /** Whether the fence of each partition is open, on this run of Redis, in the database's epoch. */
  static boolean areOpen(RedisServer redis, PostgresServer postgres) {
    String run = run(redis);
    try (Connection connection = postgres.connect();
        Statement query = connection.createStatement();
        ResultSet partitions =
            query.executeQuery("SELECT partition_id, epoch FROM stock_partition")) {
      boolean open = true;
      while (open && partitions.next()) {
        String fence = "firstcome:{%d}:fence".formatted(partitions.getInt("partition_id"));
        open =
            redis
                .command("GET", fence)
                .strip()
                .equals("open:%d:%s".formatted(partitions.getLong("epoch"), run));
      }
      return open;
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the epochs", e);
    }
  }

  private static String run(RedisServer redis) {
    String line = "master_replid:";
    return redis
        .command("INFO", "replication")
        .lines()
        .filter(property -> property.startsWith(line))
        .map(property -> property.substring(line.length()).strip())
        .findAny()
        .orElseThrow();
  }
}
