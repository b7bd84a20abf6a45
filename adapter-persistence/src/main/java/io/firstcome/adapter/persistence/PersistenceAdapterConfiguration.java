package io.firstcome.adapter.persistence;

import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.UserCouponRepository;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.ExecuteListenerProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Makes the PostgreSQL adapters.
 *
 * <p>It needs two beans: a {@link DSLContext} for PostgreSQL, plain or Spring Boot's, and the
 * {@link DataSource} below it, which also lends one connection for each recovery that runs. The
 * schema is that of the migrations in {@code db/migration}, which Flyway applies before.
 *
 * <p>Connections must be straight to the server or pooled by session, because the right to recover
 * is a lock of a session. Their isolation must be READ COMMITTED, PostgreSQL's default: under a
 * stricter one each meeting of two recorders is a serialization failure and costs another attempt.
 * Set the driver's {@code logServerErrorDetail} to false, or its messages spell whole rows, with
 * user and code.
 */
@Configuration(proxyBeanMethods = false)
public class PersistenceAdapterConfiguration {

  @Bean
  CouponRepository couponRepository(DSLContext dsl) {
    return new JooqCouponRepository(database(dsl));
  }

  @Bean
  UserCouponRepository userCouponRepository(DSLContext dsl) {
    return new JooqUserCouponRepository(database(dsl));
  }

  @Bean
  LateClaimRepository lateClaimRepository(DSLContext dsl) {
    return new JooqLateClaimRepository(database(dsl));
  }

  @Bean
  PartitionEpochs partitionEpochs(DSLContext dsl, DataSource dataSource) {
    return new JooqPartitionEpochs(database(dsl), dataSource);
  }

  /**
   * Without the listeners of the given one: Spring Boot's translates exceptions, which the adapters
   * do themselves by SQLSTATE, and loads its tables of error codes in the very moment in which
   * everybody meets a failing database.
   */
  private static Database database(DSLContext dsl) {
    return new Database(dsl.configuration().derive(new ExecuteListenerProvider[0]).dsl());
  }
}
