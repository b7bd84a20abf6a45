package io.firstcome.adapter.persistence;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DatabaseClock;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.ServerSettings;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.port.WrongCodes;
import io.firstcome.domain.usercoupon.CodeKeys;
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
 * Makes the database's ports of a {@link DataSource} for PostgreSQL, {@link PersistenceLimits} and
 * an {@link IssuanceObserver}. The schema is that of the migrations in {@code db/migration}, which
 * Flyway applies before.
 *
 * <p>Each session must begin with {@link #sessionSettings}, or an instance that is frozen in a
 * transaction stops all others for as long as it is frozen. Sessions of migrations must not: an
 * index of a large table takes longer than any statement of the service.
 *
 * <p>Each recovery that runs borrows one connection beside the one it works with. Connections must
 * be straight to the server or pooled by session, because the right to recover is a lock of a
 * session. Their isolation must be READ COMMITTED, PostgreSQL's default: under a stricter one each
 * meeting of two recorders is a serialization failure and costs another attempt. Set the driver's
 * {@code logServerErrorDetail} to false, or its messages spell whole rows, with user and code.
 *
 * <p>jOOQ is made here and not taken from Spring Boot, whose own translates exceptions: the
 * adapters do that by SQLSTATE, and Spring's would load its tables of error codes in the very
 * moment in which everybody meets a failing database.
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
   * Bounds the sessions of a pool that has not made any yet. One that has made some must have been
   * given {@link #sessionSettings} by who made it.
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

  @Bean
  CouponRepository couponRepository(DataSource dataSource, IssuanceObserver observer) {
    return new JooqCouponRepository(database(dataSource), observer);
  }

  @Bean
  UserCouponRepository userCouponRepository(
      DataSource dataSource, PersistenceLimits limits, IssuanceObserver observer) {
    return new JooqUserCouponRepository(database(dataSource), limits, observer);
  }

  /** Its claims run on a thread each, as a transaction blocks the one that it runs on. */
  @Bean
  CouponStock postgresCouponStock(DataSource dataSource, CodeKeys codeKeys) {
    return new JooqCouponStock(
        withoutSavepoints(dataSource),
        codeKeys,
        call -> Thread.ofVirtual().name("claim-transaction").start(call));
  }

  /** Each would be two more round trips of a transaction that others wait for. */
  static Database withoutSavepoints(DataSource dataSource) {
    var connections = new DataSourceConnectionProvider(dataSource);
    var configuration = new DefaultConfiguration();
    configuration.setConnectionProvider(connections);
    configuration.setTransactionProvider(new DefaultTransactionProvider(connections, false));
    configuration.setSQLDialect(SQLDialect.POSTGRES);
    return new Database(DSL.using(configuration));
  }

  @Bean
  SlotReturns slotReturns(DataSource dataSource) {
    return new JooqSlotReturns(database(dataSource));
  }

  @Bean
  LateClaimRepository lateClaimRepository(
      DataSource dataSource, PersistenceLimits limits, IssuanceObserver observer) {
    return new JooqLateClaimRepository(database(dataSource), limits, observer);
  }

  @Bean
  DeadLetters deadLetters(DataSource dataSource) {
    return new JooqDeadLetters(database(dataSource));
  }

  @Bean
  WrongCodes wrongCodes(DataSource dataSource) {
    return new JooqWrongCodes(database(dataSource));
  }

  @Bean
  EventOutbox eventOutbox(DataSource dataSource) {
    return new JooqEventOutbox(database(dataSource));
  }

  @Bean
  AuditTrail auditTrail(DataSource dataSource) {
    return new JooqAuditTrail(database(dataSource));
  }

  @Bean
  PartitionEpochs partitionEpochs(DataSource dataSource, PersistenceLimits limits) {
    return new JooqPartitionEpochs(database(dataSource), dataSource, limits);
  }

  @Bean
  DatabaseClock databaseClock(DataSource dataSource) {
    return new PostgresClock(database(dataSource));
  }

  @Bean
  ServerSettings postgresServerSettings(DataSource dataSource) {
    return new PostgresServerSettings(database(dataSource));
  }

  private static Database database(DataSource dataSource) {
    return new Database(DSL.using(dataSource, SQLDialect.POSTGRES));
  }
}
