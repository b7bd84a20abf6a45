package io.firstcome.benchmark.lab.strategy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.firstcome.benchmark.rig.RigServers;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;

/**
 * The servers that all strategies share.
 *
 * @param database for the tables of the strategies
 * @param firstcomeDatabase for the tables of Firstcome
 */
public record Stores(
    PostgresServer postgres,
    RedisServer redis,
    AmqpServer amqp,
    String database,
    String firstcomeDatabase) {

  /** Connections of a strategy, as many as the service has by default. */
  private static final int CONNECTIONS = 16;

  private static final long CONNECTION_WAIT_MILLIS = 30_000;
  private static final String PREPARE_AT_FIRST_USE = "1";

  /** The servers for Firstcome. */
  RigServers firstcome() {
    return new RigServers(postgres, firstcomeDatabase, redis, amqp);
  }

  /** Opens a full pool to the database of the strategies, so that a burst makes no connections. */
  HikariDataSource pool() {
    var config = new HikariConfig();
    config.setJdbcUrl(postgres.jdbcUrl(database));
    config.setUsername(postgres.user());
    config.setPassword(postgres.password());
    config.setMaximumPoolSize(CONNECTIONS);
    config.setConnectionTimeout(CONNECTION_WAIT_MILLIS);
    config.addDataSourceProperty("prepareThreshold", PREPARE_AT_FIRST_USE);
    var pool = new HikariDataSource(config);
    fill(pool);
    return pool;
  }

  private static void fill(HikariDataSource pool) {
    var connections = new ArrayList<Connection>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        connections.add(pool.getConnection());
      }
      for (var connection : connections) {
        connection.close();
      }
    } catch (SQLException e) {
      pool.close();
      throw new IllegalStateException("cannot connect to PostgreSQL", e);
    }
  }

  /** Deletes all data in Redis. */
  public void emptyRedis() {
    var _ = redis.command("FLUSHALL");
  }
}
