package io.firstcome.benchmark.lab.published;

import static io.firstcome.benchmark.lab.strategy.StrategyAnswer.ALREADY;
import static io.firstcome.benchmark.lab.strategy.StrategyAnswer.SOLD_OUT;
import static io.firstcome.benchmark.lab.strategy.StrategyAnswer.WON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.benchmark.lab.strategy.StrategyAnswer;
import io.firstcome.benchmark.rig.BoundedWait;
import io.firstcome.benchmark.rig.ServiceLikeJvm;
import io.firstcome.devservices.DevServices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The faults of the published scripts: each test passes because its fault occurs. */
@Tag("slow")
class PublishedFaultsIT {

  private static final Path FOLDER = Path.of("target", "published-faults-it").toAbsolutePath();
  private static final String DATABASE = "lab";
  private static final Duration WITHIN = Duration.ofSeconds(30);

  @SuppressWarnings("NullAway.Init")
  private static DevServices servers;

  @SuppressWarnings("NullAway.Init")
  private static Stores stores;

  @BeforeAll
  static void start() throws Exception {
    ServiceLikeJvm.prepare();
    Files.createDirectories(FOLDER);
    servers = DevServices.in(FOLDER.resolve("servers"));
    stores =
        new Stores(servers.postgres(), servers.redis(), servers.amqp(), DATABASE, "lab_firstcome");
    var _ = servers.postgres().createDatabase(DATABASE);
  }

  @AfterAll
  static void stop() {
    servers.close();
  }

  @Test
  void a_user_whose_key_expired_wins_again() throws Exception {
    try (var strategy = new ExpiringUserKeys(stores, 2)) {
      strategy.prepare();
      assertThat(strategy.claim("user")).isEqualTo(WON);
      assertThat(strategy.claim("user")).isEqualTo(ALREADY);

      var key = ExpiringUserKeys.userKey("user");
      assertThat(Long.parseLong(redis("TTL", key))).isBetween(1L, 300L);
      // As if the 300 seconds had passed.
      var _ = redis("PEXPIRE", key, "1");
      BoundedWait.until(WITHIN, () -> redis("EXISTS", key).equals("0"), "the key did not expire");

      assertThat(strategy.claim("user")).isEqualTo(WON);
      assertThat(strategy.owners()).containsExactly("user", "user");
      assertThat(strategy.claim("other")).isEqualTo(SOLD_OUT);
    }
  }

  @Test
  void a_win_is_lost_if_the_process_dies_before_its_future_ran() throws Exception {
    try (var dies = new ListSetAndHash(stores, 1, future -> {})) {
      dies.prepare();
      assertThat(dies.claim("winner")).isEqualTo(WON);
    }
    try (var restarted = new ListSetAndHash(stores, 1)) {
      assertThat(restarted.claim("winner")).isEqualTo(ALREADY);
      assertThat(restarted.claim("other")).isEqualTo(SOLD_OUT);
      restarted.settle(WITHIN);
      assertThat(restarted.owners()).isEmpty();
    }
  }

  @Test
  void one_more_than_the_quantity_is_issued() throws Exception {
    try (var strategy = new SetCheckedOutside(stores, 2)) {
      strategy.prepare();
      assertThat(strategy.claim("first")).isEqualTo(WON);
      assertThat(strategy.claim("second")).isEqualTo(WON);
      assertThat(strategy.claim("third")).isEqualTo(WON);
      assertThat(strategy.claim("fourth")).isEqualTo(SOLD_OUT);
      assertThat(strategy.owners()).containsExactlyInAnyOrder("first", "second", "third");
    }
  }

  @Test
  void two_claims_of_one_user_at_once_both_win() throws Exception {
    try (var instance = new SetCheckedOutside(stores, 2);
        var other = new SetCheckedOutside(stores, 2)) {
      instance.prepare();
      var answers = readBothThenWriteBoth(() -> instance.claim("user"), () -> other.claim("user"));
      assertThat(answers).containsExactly(WON, WON);
      assertThat(instance.owners()).containsExactly("user", "user");
    }
  }

  static Stream<Contender> rowAfterScript() {
    return Stream.of("published-expiring-keys", "published-set-check", "published-remaining-hash")
        .map(PublishedFaultsIT::contender);
  }

  private static Contender contender(String id) {
    return PublishedScript.all().stream()
        .map(PublishedScript::contender)
        .filter(contender -> contender.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("rowAfterScript")
  void a_win_is_lost_if_its_row_is_not_written(Contender contender) throws Exception {
    try (var strategy = contender.opener().open(stores, 2)) {
      strategy.prepare();
      refuseRows();
      assertThatExceptionOfType(SQLException.class).isThrownBy(() -> strategy.claim("winner"));
      acceptRows();

      assertThat(strategy.claim("winner")).isEqualTo(ALREADY);
      assertThat(strategy.owners()).isEmpty();
    }
  }

  @Test
  void a_winner_who_asks_again_is_answered_sold_out() throws Exception {
    try (var strategy = new RemainingInHash(stores, 1)) {
      strategy.prepare();
      assertThat(strategy.claim("winner")).isEqualTo(WON);
      assertThat(strategy.claim("winner")).isEqualTo(SOLD_OUT);
      assertThat(strategy.owners()).containsExactly("winner");
    }
  }

  @Test
  void a_win_is_lost_if_the_broker_does_not_get_its_message() throws Exception {
    try (var strategy = new CounterSetAndBroker(stores, 2)) {
      strategy.prepare();
      strategy.start();
      assertThat(strategy.claim("recorded")).isEqualTo(WON);
      strategy.settle(WITHIN);

      servers.amqp().pause();
      assertThat(strategy.claim("lost")).isEqualTo(WON);
      servers.amqp().kill();
    }
    servers.amqp().restart();
    try (var restarted = new CounterSetAndBroker(stores, 2)) {
      restarted.start();
      assertThat(restarted.claim("lost")).isEqualTo(ALREADY);
      assertThat(restarted.claim("other")).isEqualTo(SOLD_OUT);
      restarted.settle(WITHIN);
      assertThat(restarted.owners()).containsExactly("recorded");
    }
  }

  @Test
  void two_callers_that_read_the_same_stock_both_win() throws Exception {
    try (var instance = new CheckThenDecrement(stores, 1);
        var other = new CheckThenDecrement(stores, 1)) {
      instance.prepare();
      var answers =
          readBothThenWriteBoth(() -> instance.claim("first"), () -> other.claim("second"));
      assertThat(answers).containsExactly(WON, WON);
      assertThat(instance.owners()).containsExactlyInAnyOrder("first", "second");
    }
  }

  @Test
  void a_user_wins_with_each_claim() throws Exception {
    try (var strategy = new CheckThenDecrement(stores, 2)) {
      strategy.prepare();
      assertThat(strategy.claim("user")).isEqualTo(WON);
      assertThat(strategy.claim("user")).isEqualTo(WON);
      assertThat(strategy.owners()).containsExactly("user", "user");
    }
  }

  @Test
  void users_are_lost_if_the_worker_stops_after_it_popped_them() throws Exception {
    try (var strategy = new SortedSetQueue(stores, 1)) {
      strategy.prepare();
      assertThat(strategy.accept("first")).isTrue();
      // The queue has the order of the milliseconds.
      Thread.sleep(2);
      assertThat(strategy.accept("second")).isTrue();
      refuseRows();
      assertThatExceptionOfType(SQLException.class).isThrownBy(strategy::issueToFirst);
      acceptRows();

      strategy.issueToFirst();
      assertThat(strategy.owners()).containsExactly("second");
      strategy.issueToFirst();
      assertThat(strategy.claim("first")).isEqualTo(SOLD_OUT);
    }
  }

  @Test
  void a_winner_who_claims_again_wins_again() throws Exception {
    try (var strategy = new SortedSetQueue(stores, 2)) {
      strategy.prepare();
      assertThat(strategy.accept("winner")).isTrue();
      assertThat(strategy.accept("winner")).isFalse();
      strategy.issueToFirst();
      assertThat(strategy.accept("winner")).isTrue();
      strategy.issueToFirst();
      assertThat(strategy.owners()).containsExactly("winner", "winner");
    }
  }

  /**
   * Runs both claims, on connections of their own, in this order: both read Redis, then both write
   * to it. Redis holds each connection back at its first write until it is resumed.
   */
  private static List<StrategyAnswer> readBothThenWriteBoth(
      Callable<StrategyAnswer> first, Callable<StrategyAnswer> second) throws Exception {
    var _ = redis("CLIENT", "PAUSE", Long.toString(WITHIN.toMillis()), "WRITE");
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = List.of(callers.submit(first), callers.submit(second));
      try {
        BoundedWait.until(
            WITHIN,
            () -> redis("INFO", "clients").contains("blocked_clients:2\r\n"),
            "the claims did not arrive at their writes");
      } finally {
        var _ = redis("CLIENT", "UNPAUSE");
      }
      return List.of(answers.getFirst().get(), answers.getLast().get());
    }
  }

  private static String redis(String... words) {
    return servers.redis().command(words);
  }

  /** From now on each insert fails, so that a caller gets as far as a process that dies there. */
  private static void refuseRows() throws SQLException {
    sql("ALTER TABLE issued ADD CONSTRAINT refuse_rows CHECK (false) NOT VALID");
  }

  private static void acceptRows() throws SQLException {
    sql("ALTER TABLE issued DROP CONSTRAINT refuse_rows");
  }

  private static void sql(String sql) throws SQLException {
    var postgres = servers.postgres();
    try (var connection =
            DriverManager.getConnection(
                postgres.jdbcUrl(DATABASE), postgres.user(), postgres.password());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
