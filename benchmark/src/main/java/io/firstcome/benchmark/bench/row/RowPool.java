package io.firstcome.benchmark.bench.row;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.firstcome.devservices.server.PostgresServer;

/** Connection pools with one connection, so that one process of the server does all work. */
final class RowPool {

  private RowPool() {}

  /**
   * A pool of an empty database.
   *
   * @param sessionSettings the first statement of the session
   */
  static HikariDataSource create(PostgresServer postgres, String database, String sessionSettings) {
    var config = new HikariConfig();
    config.setJdbcUrl(postgres.createDatabase(database));
    config.setUsername(postgres.user());
    config.setPassword(postgres.password());
    config.setMaximumPoolSize(1);
    config.setConnectionInitSql(sessionSettings);
    return new HikariDataSource(config);
  }
}
