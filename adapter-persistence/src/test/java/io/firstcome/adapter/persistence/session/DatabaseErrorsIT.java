package io.firstcome.adapter.persistence.session;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.adapter.persistence.epoch.JooqPartitionEpochs;
import io.firstcome.adapter.persistence.usercoupon.JooqUserCouponRepository;
import io.firstcome.adapter.persistence.usercoupon.JooqWrongCodes;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.UnrecordableException;
import io.firstcome.domain.shop.CodeSource;
import io.firstcome.domain.shop.ShopId;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The exceptions for failures of a real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class DatabaseErrorsIT {

  private final TestDatabase database = new TestDatabase(DatabaseErrorsIT.class);

  @AfterAll
  void close() {
    database.close();
  }

  private void fails(Class<? extends RuntimeException> with, String statement) {
    assertThatExceptionOfType(with)
        .isThrownBy(() -> database.database().transaction(dsl -> dsl.execute(statement)));
    assertThatExceptionOfType(with)
        .isThrownBy(() -> database.database().statement(dsl -> dsl.execute(statement)));
  }

  private static String raising(String sqlState) {
    return "DO $$ BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = '%s'; END $$".formatted(sqlState);
  }

  @Test
  void an_ended_session_is_reported_as_an_unavailable_database() {
    fails(DatabaseUnavailableException.class, "SELECT pg_terminate_backend(pg_backend_pid())");
  }

  @Test
  void only_a_lost_reply_to_a_possible_commit_leaves_the_effect_unknown() {
    var lost = "SELECT pg_terminate_backend(pg_backend_pid())";

    assertThat(effectOf(database -> database.read(dsl -> dsl.execute(lost))))
        .isEqualTo(Effect.NONE);
    assertThat(effectOf(database -> database.transaction(dsl -> dsl.execute(lost))))
        .isEqualTo(Effect.NONE);
    assertThat(effectOf(database -> database.statement(dsl -> dsl.execute(lost))))
        .isEqualTo(Effect.UNKNOWN);
    assertThat(effectOf(database -> database.transaction(atCommit("PERFORM " + lost.substring(7)))))
        .isEqualTo(Effect.UNKNOWN);
  }

  @Test
  void a_serialization_failure_at_the_commit_has_no_effect() {
    var losing = "RAISE EXCEPTION 'raised' USING ERRCODE = '40001'";

    assertThat(effectOf(database -> database.transaction(atCommit(losing)))).isEqualTo(Effect.NONE);
  }

  private Effect effectOf(Consumer<Database> call) {
    return catchThrowableOfType(
            DatabaseUnavailableException.class, () -> call.accept(database.database()))
        .effect();
  }

  /** Work that succeeds, and whose commit runs the step. */
  private static Function<DSLContext, Integer> atCommit(String step) {
    return dsl -> {
      dsl.execute("CREATE TEMP TABLE at_commit (id int)");
      dsl.execute(
          "CREATE FUNCTION pg_temp.at_commit() RETURNS trigger LANGUAGE plpgsql AS"
              + " $$ BEGIN %s; RETURN NULL; END $$".formatted(step));
      dsl.execute(
          "CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON at_commit DEFERRABLE"
              + " INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pg_temp.at_commit()");
      return dsl.execute("INSERT INTO at_commit VALUES (1)");
    };
  }

  @Test
  void transient_sql_states_are_reported_as_an_unavailable_database() {
    for (var state :
        List.of("08006", "25006", "25P03", "40001", "40P01", "53100", "53300", "55P03", "57P03")) {
      fails(DatabaseUnavailableException.class, raising(state));
    }
  }

  @Test
  void refused_data_is_unrecordable() {
    fails(UnrecordableException.class, "SELECT 1 / 0");
    fails(UnrecordableException.class, "INSERT INTO stock_partition VALUES (-1, 0)");
  }

  @Test
  void an_invalid_statement_is_a_bug_and_is_rethrown_unchanged() {
    fails(DataAccessException.class, "SELECT * FROM no_such_table");
  }

  @Test
  void an_exception_thrown_by_the_work_is_rethrown_unchanged() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() ->
            database
                .database()
                .transaction(dsl -> {
                  throw new IllegalStateException("a bug");
                }));
  }

  @Test
  void a_transaction_that_lost_a_deadlock_is_retried() {
    assertThat(attemptsWhereTheFirstOnesLose(2)).isEqualTo(3);
  }

  @Test
  void a_transaction_that_loses_every_attempt_is_reported_as_an_unavailable_database() {
    assertThatExceptionOfType(DatabaseUnavailableException.class)
        .isThrownBy(() -> attemptsWhereTheFirstOnesLose(Database.MAX_ATTEMPTS))
        .matches(e -> e.effect() == Effect.NONE);
    assertThat(attemptsWhereTheFirstOnesLose(Database.MAX_ATTEMPTS - 1))
        .isEqualTo(Database.MAX_ATTEMPTS);
  }

  private int attemptsWhereTheFirstOnesLose(int losing) {
    var attempts = new int[1];
    return database
        .database()
        .transaction(dsl -> {
          attempts[0]++;
          if (attempts[0] <= losing) {
            dsl.execute(raising("40P01"));
          }
          return attempts[0];
        });
  }

  @Test
  void an_unreachable_server_is_reported_as_an_unavailable_database() throws Exception {
    int freePort;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      freePort = socket.getLocalPort();
    }
    try (var nowhere = new HikariDataSource()) {
      nowhere.setJdbcUrl("jdbc:postgresql://127.0.0.1:%d/none".formatted(freePort));
      nowhere.setConnectionTimeout(250);
      nowhere.setInitializationFailTimeout(-1);
      assertAllUnavailable(nowhere, DSL.using(nowhere, SQLDialect.POSTGRES));
    }
  }

  @Test
  void a_pool_without_a_free_connection_is_reported_as_an_unavailable_database() throws Exception {
    try (var small = new HikariDataSource()) {
      database.dataSource().copyStateTo(small);
      small.setMaximumPoolSize(1);
      small.setConnectionTimeout(250);
      try (var only = small.getConnection()) {
        assertThat(only.isClosed()).isFalse();
        assertAllUnavailable(small, DSL.using(small, SQLDialect.POSTGRES));
      }
    }
  }

  private static void assertAllUnavailable(HikariDataSource dataSource, DSLContext dsl) {
    var down = new Database(dsl);
    var partition = new Partition(0);
    assertUnavailableWithoutEffect(
        () -> new JooqPartitionEpochs(down, dataSource, TestDatabase.LIMITS).current(partition));
    assertUnavailableWithoutEffect(() ->
        new JooqPartitionEpochs(down, dataSource, TestDatabase.LIMITS).tryAcquireLease(partition));
    assertUnavailableWithoutEffect(() ->
        new JooqWrongCodes(down)
            .add(List.of(CodeSource.of(new ShopId("berlin"))), ACCEPTED_AT, Duration.ofMinutes(1)));
    assertUnavailableWithoutEffect(() ->
        new JooqUserCouponRepository(down, TestDatabase.LIMITS, IssuanceObserver.silent())
            .record(List.of(acceptedClaim(aCoupon().build(), "alice", 1, 1))));
  }

  private static void assertUnavailableWithoutEffect(ThrowingCallable call) {
    assertThatExceptionOfType(DatabaseUnavailableException.class)
        .isThrownBy(call)
        .matches(e -> e.effect() == Effect.NONE);
  }

  @Test
  void the_log_of_a_failure_contains_neither_users_nor_codes() {
    var ports = database.empty();
    var coupon = ports.define(aCoupon().build(), 1);
    var poison = acceptedClaim(coupon, "alice", 1, 1);
    database
        .dsl()
        .execute("ALTER TABLE user_coupon ADD CONSTRAINT poison CHECK (user_id <> 'alice')");

    assertThatExceptionOfType(UnrecordableException.class)
        .isThrownBy(() -> ports.userCoupons().record(List.of(poison)))
        .satisfies(failure ->
            assertThat(stackTrace(failure))
                .contains("23514")
                .doesNotContain("alice")
                .doesNotContain(poison.identity().code().value())
                .doesNotContain(HexFormat.of().formatHex(poison.identity().code().bytes())));
    database.dsl().execute("ALTER TABLE user_coupon DROP CONSTRAINT poison");
  }

  private static String stackTrace(Throwable failure) {
    var text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
