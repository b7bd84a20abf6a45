package io.firstcome.adapter.persistence;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.devservices.DevServices;
import io.firstcome.domain.port.IssuanceObserver;
import java.time.Duration;
import java.util.Locale;
import org.flywaydb.core.Flyway;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/** A database of its own on a real PostgreSQL, with the schema of the migrations. */
final class TestDatabase implements AutoCloseable {

  static final PersistenceLimits LIMITS = PersistenceLimits.defaults();

  private static final int MAX_CONNECTIONS = 8;

  private final PersistenceLimits limits;
  private final HikariDataSource dataSource;

  /** Makes the database anew, named after the test. */
  TestDatabase(Class<?> test) {
    this(test, LIMITS);
  }

  /** The same with sessions of these limits. */
  TestDatabase(Class<?> test, PersistenceLimits limits) {
    this.limits = limits;
    var postgres = DevServices.shared().postgres();
    var config = new HikariConfig();
    config.setJdbcUrl(
        postgres.createDatabase("test_" + test.getSimpleName().toLowerCase(Locale.ROOT)));
    config.setUsername(postgres.user());
    config.setPassword(postgres.password());
    config.setMaximumPoolSize(MAX_CONNECTIONS);
    config.addDataSourceProperty("logServerErrorDetail", "false");
    PersistenceAdapterConfiguration.configure(config, limits);
    dataSource = new HikariDataSource(config);
    Flyway.configure().dataSource(dataSource).load().migrate();
  }

  /** The service's, but for what a transaction that waits may take. */
  static PersistenceLimits limits(Duration idleInTransaction, Duration lockWait) {
    return new PersistenceLimits(
        idleInTransaction,
        lockWait,
        LIMITS.recordingLockWait(),
        LIMITS.statement(),
        LIMITS.transaction(),
        LIMITS.clientCheck(),
        LIMITS.silentClient(),
        LIMITS.recoveryRight(),
        LIMITS.recoveryRightRenewal(),
        LIMITS.recoveryStep());
  }

  HikariDataSource dataSource() {
    return dataSource;
  }

  DSLContext dsl() {
    return DSL.using(dataSource, SQLDialect.POSTGRES, new Settings().withExecuteLogging(false));
  }

  Database database() {
    return new Database(dsl());
  }

  /** The ports, over tables that are empty. */
  DatabasePorts empty() {
    dsl()
        .execute(
            "TRUNCATE event_outbox, audit_entry, wrong_code, dead_letter, rejected_claim, late_claim, redemption,"
                + " user_coupon, coupon, stock_partition");
    return ports();
  }

  DatabasePorts ports() {
    return portsOn(database());
  }

  /** The ports, with their statements run there. */
  DatabasePorts portsOn(Database database) {
    return new DatabasePorts(
        new JooqCouponRepository(database, IssuanceObserver.silent()),
        new JooqUserCouponRepository(database, limits, IssuanceObserver.silent()),
        new JooqSlotReturns(database),
        new JooqLateClaimRepository(database, limits, IssuanceObserver.silent()),
        new JooqDeadLetters(database),
        new JooqWrongCodes(database),
        new JooqAuditTrail(database),
        new JooqEventOutbox(database),
        new JooqPartitionEpochs(database, dataSource, limits));
  }

  @Override
  public void close() {
    dataSource.close();
  }
}
