package io.firstcome.adapter.persistence;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.firstcome.adapter.persistence.audit.JooqAuditTrail;
import io.firstcome.adapter.persistence.coupon.JooqCampaignRepository;
import io.firstcome.adapter.persistence.coupon.JooqCouponRepository;
import io.firstcome.adapter.persistence.curve.JooqIssuanceCurves;
import io.firstcome.adapter.persistence.epoch.JooqPartitionEpochs;
import io.firstcome.adapter.persistence.event.JooqEventOutbox;
import io.firstcome.adapter.persistence.instance.JooqInstanceReports;
import io.firstcome.adapter.persistence.recording.JooqDeadLetters;
import io.firstcome.adapter.persistence.recording.JooqLateClaimRepository;
import io.firstcome.adapter.persistence.rehearsal.JooqRehearsals;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.adapter.persistence.usercoupon.JooqSlotReturns;
import io.firstcome.adapter.persistence.usercoupon.JooqUserCouponRepository;
import io.firstcome.adapter.persistence.usercoupon.JooqUserCouponRetention;
import io.firstcome.adapter.persistence.usercoupon.JooqUserErasures;
import io.firstcome.adapter.persistence.usercoupon.JooqWrongCodes;
import io.firstcome.adapter.persistence.waitingroom.JooqRoomRecords;
import io.firstcome.adapter.persistence.webhook.JooqWebhookDeliveries;
import io.firstcome.adapter.persistence.webhook.JooqWebhookEndpoints;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.devservices.DevServices;
import io.firstcome.domain.observation.IssuanceObserver;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/** A separate database on a real PostgreSQL, with the schema of the migrations. */
public final class TestDatabase implements AutoCloseable {

  public static final PersistenceLimits LIMITS = PersistenceLimits.defaults();

  private static final int MAX_CONNECTIONS = 8;

  private final PersistenceLimits limits;
  private final HikariDataSource dataSource;

  /** Creates the database, named after the test, and drops an earlier one first. */
  public TestDatabase(Class<?> test) {
    this(test, LIMITS);
  }

  /** Like {@link #TestDatabase(Class)}, with these limits of its sessions. */
  public TestDatabase(Class<?> test, PersistenceLimits limits) {
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

  /** The limits of the service, except for those of idle transactions and of lock waits. */
  public static PersistenceLimits limits(Duration idleInTransaction, Duration lockWait) {
    return new PersistenceLimits(
        idleInTransaction,
        lockWait,
        LIMITS.shortLockWait(),
        LIMITS.statement(),
        LIMITS.transaction(),
        LIMITS.clientCheck(),
        LIMITS.silentClient(),
        LIMITS.recoveryLease(),
        LIMITS.recoveryLeaseRenewal(),
        LIMITS.recoveryStep());
  }

  public HikariDataSource dataSource() {
    return dataSource;
  }

  public DSLContext dsl() {
    return DSL.using(dataSource, SQLDialect.POSTGRES, new Settings().withExecuteLogging(false));
  }

  /** How many sessions of this database wait for a lock now. */
  public int waitingSessions() {
    return dsl()
        .fetchSingle(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
            """)
        .get(0, Integer.class);
  }

  public Database database() {
    return new Database(dsl());
  }

  /** Empties all tables, and returns the ports. */
  public DatabasePorts empty() {
    dsl()
        .execute(
            "TRUNCATE erasure, event_outbox, webhook_endpoint, webhook_lane, webhook_delivery, audit_entry, wrong_code, dead_letter, rejected_claim, late_claim, redemption,"
                + " claim_count, instance_report, rehearsal, user_coupon, waiting_room, coupon, campaign, stock_partition");
    return ports();
  }

  public DatabasePorts ports() {
    return portsOn(database());
  }

  /** The ports, whose statements run on the given database. */
  public DatabasePorts portsOn(Database database) {
    return new DatabasePorts(
        new JooqCouponRepository(database, limits, IssuanceObserver.silent()),
        new JooqCampaignRepository(database, limits),
        new JooqRoomRecords(database, limits),
        new JooqUserCouponRepository(database, limits, IssuanceObserver.silent()),
        new JooqSlotReturns(database),
        new JooqLateClaimRepository(database, limits, IssuanceObserver.silent()),
        new JooqDeadLetters(database),
        new JooqWrongCodes(database),
        new JooqAuditTrail(database),
        new JooqEventOutbox(database),
        new JooqWebhookEndpoints(database),
        new JooqWebhookDeliveries(database),
        new JooqUserCouponRetention(database),
        new JooqUserErasures(database, limits),
        new JooqIssuanceCurves(database, UUID.randomUUID()),
        new JooqInstanceReports(database),
        new JooqRehearsals(database),
        new JooqPartitionEpochs(database, dataSource, limits));
  }

  @Override
  public void close() {
    dataSource.close();
  }
}
