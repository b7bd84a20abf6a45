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
import io.firstcome.adapter.persistence.session.ConnectionPools;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.adapter.persistence.session.PoolLimits;
import io.firstcome.adapter.persistence.session.PostgresClock;
import io.firstcome.adapter.persistence.session.PostgresServerSettings;
import io.firstcome.adapter.persistence.session.ReadOnlySessions;
import io.firstcome.adapter.persistence.session.SessionSettings;
import io.firstcome.adapter.persistence.stock.JooqCouponStock;
import io.firstcome.adapter.persistence.usercoupon.JooqSlotReturns;
import io.firstcome.adapter.persistence.usercoupon.JooqUserCouponRepository;
import io.firstcome.adapter.persistence.usercoupon.JooqUserCouponRetention;
import io.firstcome.adapter.persistence.usercoupon.JooqUserErasures;
import io.firstcome.adapter.persistence.usercoupon.JooqWrongCodes;
import io.firstcome.adapter.persistence.waitingroom.JooqRoomRecords;
import io.firstcome.adapter.persistence.webhook.JooqWebhookDeliveries;
import io.firstcome.adapter.persistence.webhook.JooqWebhookEndpoints;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.CampaignRepository;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DatabaseClock;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.InstanceReports;
import io.firstcome.domain.port.IssuanceCurves;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.port.RoomRecords;
import io.firstcome.domain.port.ServerSettings;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.port.UserCouponRetention;
import io.firstcome.domain.port.UserErasures;
import io.firstcome.domain.port.WebhookDeliveries;
import io.firstcome.domain.port.WebhookEndpoints;
import io.firstcome.domain.port.WrongCodes;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultTransactionProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Creates the database ports from a {@link DataSource} for PostgreSQL, {@link PersistenceLimits},
 * {@link PoolLimits} and an {@link IssuanceObserver}. The schema is that of the migrations in
 * {@code db/migration}, which Flyway applies before.
 *
 * <p>Each session must begin with {@link #sessionSettings}; otherwise an instance that is frozen in
 * a transaction blocks all others for as long as it is frozen. Sessions of migrations must not:
 * building an index of a large table takes longer than the limit of a statement.
 *
 * <p>Each running recovery uses one extra connection for its lease. Connections must go directly to
 * the server or through a pooler in session mode, because the recovery lease is a lock of a
 * session. Their isolation level must be READ COMMITTED, PostgreSQL's default: under a stricter
 * level each conflict of two recorders is a serialization failure and costs another attempt. Set
 * the driver's {@code logServerErrorDetail} to false; otherwise its messages contain whole rows,
 * with user and code.
 *
 * <p>jOOQ is configured here and not by Spring Boot, whose configuration translates exceptions: the
 * adapters do that by SQLSTATE, and Spring would load its tables of error codes at the first
 * failure of the database.
 */
@Configuration(proxyBeanMethods = false)
public class PersistenceAdapterConfiguration {

  /** The statement with which every session of the data source begins. */
  public static String sessionSettings(PersistenceLimits limits) {
    return SessionSettings.statement(limits);
  }

  static void configure(HikariConfig pool, PersistenceLimits limits) {
    pool.setConnectionInitSql(sessionSettings(limits));
    pool.setExceptionOverride(new ReadOnlySessions());
  }

  /**
   * Sets the session limits of a pool that has no connections yet. A pool that is already running
   * must have been configured with {@link #sessionSettings}.
   */
  @Bean
  static BeanPostProcessor boundedSessions(ObjectProvider<PersistenceLimits> limits) {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof HikariDataSource pool && !pool.isRunning()) {
          configure(pool, limits.getObject());
        }
        return bean;
      }
    };
  }

  /** The pools for the different kinds of callers; it is also the port that selects one. */
  @Bean
  ConnectionPools connectionPools(DataSource dataSource, PoolLimits limits) {
    return new ConnectionPools(dataSource, limits);
  }

  @Bean
  CouponRepository couponRepository(
      ConnectionPools pools, PersistenceLimits limits, IssuanceObserver observer) {
    return new JooqCouponRepository(database(pools), limits, observer);
  }

  @Bean
  CampaignRepository campaignRepository(ConnectionPools pools, PersistenceLimits limits) {
    return new JooqCampaignRepository(database(pools), limits);
  }

  @Bean
  RoomRecords roomRecords(ConnectionPools pools, PersistenceLimits limits) {
    return new JooqRoomRecords(database(pools), limits);
  }

  @Bean
  UserCouponRepository userCouponRepository(
      ConnectionPools pools, PersistenceLimits limits, IssuanceObserver observer) {
    return new JooqUserCouponRepository(database(pools), limits, observer);
  }

  /** Runs each claim call on its own virtual thread, because a transaction blocks its thread. */
  @Bean
  CouponStock postgresCouponStock(DataSource dataSource, CodeKeys codeKeys) {
    return new JooqCouponStock(
        withoutSavepoints(dataSource),
        codeKeys,
        call -> Thread.ofVirtual().name("claim-transaction").start(call));
  }

  /**
   * A database without savepoints: each one would add two round trips to a transaction that holds a
   * row lock.
   */
  public static Database withoutSavepoints(DataSource dataSource) {
    var connections = new DataSourceConnectionProvider(dataSource);
    var configuration = new DefaultConfiguration();
    configuration.setConnectionProvider(connections);
    configuration.setTransactionProvider(new DefaultTransactionProvider(connections, false));
    configuration.setSQLDialect(SQLDialect.POSTGRES);
    return new Database(DSL.using(configuration));
  }

  @Bean
  SlotReturns slotReturns(ConnectionPools pools) {
    return new JooqSlotReturns(database(pools));
  }

  @Bean
  LateClaimRepository lateClaimRepository(
      ConnectionPools pools, PersistenceLimits limits, IssuanceObserver observer) {
    return new JooqLateClaimRepository(database(pools), limits, observer);
  }

  @Bean
  DeadLetters deadLetters(ConnectionPools pools) {
    return new JooqDeadLetters(database(pools));
  }

  @Bean
  WrongCodes wrongCodes(ConnectionPools pools) {
    return new JooqWrongCodes(database(pools));
  }

  @Bean
  IssuanceCurves issuanceCurves(ConnectionPools pools) {
    return new JooqIssuanceCurves(database(pools), UUID.randomUUID());
  }

  @Bean
  InstanceReports instanceReports(ConnectionPools pools) {
    return new JooqInstanceReports(database(pools));
  }

  @Bean
  Rehearsals rehearsals(ConnectionPools pools) {
    return new JooqRehearsals(database(pools));
  }

  @Bean
  EventOutbox eventOutbox(ConnectionPools pools) {
    return new JooqEventOutbox(database(pools));
  }

  @Bean
  WebhookEndpoints webhookEndpoints(ConnectionPools pools) {
    return new JooqWebhookEndpoints(database(pools));
  }

  @Bean
  WebhookDeliveries webhookDeliveries(ConnectionPools pools) {
    return new JooqWebhookDeliveries(database(pools));
  }

  @Bean
  UserCouponRetention userCouponRetention(ConnectionPools pools) {
    return new JooqUserCouponRetention(database(pools));
  }

  @Bean
  UserErasures userErasures(ConnectionPools pools, PersistenceLimits limits) {
    return new JooqUserErasures(database(pools), limits);
  }

  @Bean
  AuditTrail auditTrail(ConnectionPools pools) {
    return new JooqAuditTrail(database(pools));
  }

  @Bean
  PartitionEpochs partitionEpochs(
      ConnectionPools pools, DataSource dataSource, PersistenceLimits limits) {
    return new JooqPartitionEpochs(database(pools), dataSource, limits);
  }

  @Bean
  DatabaseClock databaseClock(ConnectionPools pools) {
    return new PostgresClock(database(pools));
  }

  @Bean
  ServerSettings postgresServerSettings(ConnectionPools pools) {
    return new PostgresServerSettings(database(pools));
  }

  private static Database database(ConnectionPools pools) {
    return new Database(DSL.using(pools, SQLDialect.POSTGRES));
  }
}
