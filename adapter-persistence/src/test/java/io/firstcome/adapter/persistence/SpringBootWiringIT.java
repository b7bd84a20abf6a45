package io.firstcome.adapter.persistence;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.issuance.AcceptedClaim;
import io.firstcome.domain.issuance.RecordOutcome;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.UnrecordableException;
import io.firstcome.domain.port.UserCouponRepository;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jooq.autoconfigure.JooqAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * The adapters on the jOOQ that Spring Boot configures, which has Spring's transactions and turns
 * jOOQ's exceptions into Spring's.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpringBootWiringIT {

  private static final TestDatabase DATABASE = new TestDatabase(SpringBootWiringIT.class);

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext(
          Surroundings.class, PersistenceAdapterConfiguration.class);
  private final DatabasePorts ports =
      new DatabasePorts(
          context.getBean(CouponRepository.class),
          context.getBean(UserCouponRepository.class),
          context.getBean(LateClaimRepository.class),
          context.getBean(PartitionEpochs.class));

  /** Spring Boot's jOOQ, and what it stands on. */
  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(JooqAutoConfiguration.class)
  static class Surroundings {

    @Bean
    DataSource dataSource() {
      return DATABASE.dataSource();
    }

    @Bean
    JdbcTransactionManager transactionManager(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }
  }

  @AfterAll
  void close() {
    context.close();
    DATABASE.close();
  }

  @Test
  void a_refused_batch_is_unrecordable_and_leaves_nothing_behind() {
    DATABASE.empty();
    var coupon = ports.define(aCoupon().build(), 1);
    var alice = acceptedClaim(coupon, "alice", 1, 1);
    var bob = acceptedClaim(coupon, "bob", 2, 1);
    var poison =
        new AcceptedClaim(
            bob.couponId(),
            bob.userId(),
            bob.slot(),
            bob.partition(),
            bob.epoch(),
            bob.acceptedAt(),
            acceptedClaim(aCoupon().withId("OTHER").build(), "bob", 2, 1).identity());

    assertThatExceptionOfType(UnrecordableException.class)
        .isThrownBy(() -> ports.userCoupons().record(List.of(alice, poison)));
    assertThat(ports.userCoupons().record(List.of(alice)))
        .containsExactly(new RecordOutcome.Recorded());
  }

  @Test
  void the_work_of_a_transaction_takes_effect_together_or_not_at_all() {
    DATABASE.empty();
    var springs = new Database(context.getBean(DSLContext.class));

    assertThatExceptionOfType(UnrecordableException.class)
        .isThrownBy(() ->
            springs.transaction(dsl ->
                dsl.execute("INSERT INTO stock_partition VALUES (1, 0)")
                    + dsl.execute("INSERT INTO stock_partition VALUES (-1, 0)")));
    assertThat(
            springs.<Integer>statement(
                dsl -> dsl.fetchCount(dsl.selectOne().from("stock_partition"))))
        .isZero();
  }

  @Test
  void a_session_that_is_ended_is_an_unavailable_database() {
    var springs = new Database(context.getBean(DSLContext.class));

    assertThatExceptionOfType(DatabaseUnavailableException.class)
        .isThrownBy(() ->
            springs.transaction(
                dsl -> dsl.execute("SELECT pg_terminate_backend(pg_backend_pid())")));
  }
}
