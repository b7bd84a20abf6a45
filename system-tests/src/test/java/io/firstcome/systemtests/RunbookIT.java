package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.firstcome.devservices.server.RedisClock;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.devservices.service.ServiceSettings;
import io.firstcome.systemtests.kit.AppendOnlyFile;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.DeadLetterCalls;
import io.firstcome.systemtests.kit.PastCoupon;
import io.firstcome.systemtests.kit.Prometheus;
import io.firstcome.systemtests.kit.QueuedClaimMessages;
import io.firstcome.systemtests.kit.QueuedClaimMessages.Message;
import io.firstcome.systemtests.kit.Redemptions;
import io.firstcome.systemtests.kit.ServerData;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.WebhookReceiver;
import io.firstcome.systemtests.kit.Webhooks;
import io.firstcome.systemtests.kit.World;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Each alert of the runbook fires under its fault: a Prometheus with the rules of {@code
 * deploy/observability} reads a real service. Where an alert depends on a current value, it ends
 * after what its entry says is done; the others count events of the last minutes.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RunbookIT {

  private static final Path RULES =
      Path.of("..", "deploy", "observability", "firstcome.rules.yml").toAbsolutePath();

  /** For alerts that need a fault of a minute. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final Duration WORK_LIMIT = Duration.ofSeconds(60);
  private static final Duration FREEZE = Duration.ofMillis(400);

  /** Two handled at a time: more requests at once are refused. */
  private static final Map<String, String> TWO_AT_A_TIME = twoAtATime();

  /** More than half of the cap of the log of a partition. */
  private static final int MORE_THAN_HALF = 5_200;

  private static Map<String, String> twoAtATime() {
    // Any instance may deliver.
    var settings = new HashMap<>(ServiceSettings.LOCAL_WEBHOOKS);
    settings.put("FIRSTCOME_LIMITS_LOAD_LEASTCLAIMS", "1");
    settings.put("FIRSTCOME_LIMITS_LOAD_LEASTREQUESTS", "1");
    settings.put("FIRSTCOME_LIMITS_LOAD_WAITINGTIME", "1ms");
    settings.put("FIRSTCOME_LIMITS_LOAD_MOSTCONCURRENT", "2");
    return Map.copyOf(settings);
  }

  private World world;
  private ServiceProcess crowded;
  private Prometheus prometheus;

  @BeforeAll
  void start() {
    assumeTrue(
        (RedisClock.isAvailable() && Prometheus.isInstalled())
            || "true".equals(System.getenv("CI")),
        "needs Prometheus, libfaketime and an installed Redis");
    world = World.withRedisClock("runbook");
    crowded = World.ready(world.start("crowded", TWO_AT_A_TIME));
    prometheus =
        Prometheus.watching(
            Path.of(System.getProperty("firstcome.work"), "runbook-prometheus"),
            RULES,
            world.service(),
            crowded);
  }

  @AfterAll
  void end() {
    if (world != null) {
      prometheus.close();
      crowded.close();
      world.close();
    }
  }

  private void awaitFiring(String... alerts) {
    var wanted = Set.of(alerts);
    Await.until(
        LIMIT,
        () -> wanted + " firing, but only " + prometheus.firing(),
        () -> prometheus.firing().containsAll(wanted));
  }

  private void awaitEnd(String alert) {
    Await.until(LIMIT, () -> "the end of " + alert, () -> !prometheus.firing().contains(alert));
  }

  private void assertStatus(int status, Call call) {
    var answer = world.send(call);
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
  }

  private void change(String sql) {
    try (var connection = world.postgres().connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static Call operate(String coupon, String action) {
    return Call.of("POST", "/api/v1/admin/coupons/%s/%s".formatted(coupon, action)).operator();
  }

  private static Call recovery() {
    return Call.of("POST", "/api/v1/admin/stock/recovery").operator();
  }

  private void awaitRows(String coupon, int rows) {
    Await.until(
        WORK_LIMIT,
        "rows of " + coupon,
        () -> StoredCoupon.read(world.postgres(), coupon).liveRows() == rows);
  }

  private void awaitServed(String coupon) {
    Await.until(
        WORK_LIMIT,
        "claims of " + coupon,
        () -> world.send(Call.claim(coupon).as(Users.one())).status() == 202);
  }

  @Test
  @Order(1)
  void nothing_fires_while_all_works() {
    var coupon = world.define(aCoupon().withTotal(500));
    world.crowd(coupon, Users.some(1_000)).join();
    awaitRows(coupon, 500);

    assertThat(prometheus.firing()).isEmpty();
  }

  @Test
  @Order(2)
  void the_broker_is_away() {
    var used = world.define(aCoupon());
    var claim = world.send(Call.claim(used).as("ann").prefer("wait=10"));
    assertThat(claim.status()).as(claim.body()).isEqualTo(201);
    var coupon = world.define(aCoupon().withTotal(2 * MORE_THAN_HALF));
    world.amqp().kill();
    try (var claimant = world.claimant()) {
      assertStatus(201, Redemptions.use(claim.text("userCouponId"), "order-1", 2_000));
      // One after the other: concurrent claims share entries.
      Users.some(MORE_THAN_HALF).forEach(user -> claimant.claim(coupon, user));

      awaitFiring(
          "FirstcomeHandoffDelayed",
          "FirstcomeHandoffHalfFull",
          "FirstcomeEventsDelayed",
          "FirstcomeRoundsFail");
    } finally {
      world.amqp().restart();
    }
    awaitRows(coupon, MORE_THAN_HALF);
    awaitEnd("FirstcomeHandoffDelayed");
    awaitEnd("FirstcomeHandoffHalfFull");
    awaitEnd("FirstcomeEventsDelayed");
    awaitEnd("FirstcomeRoundsFail");
  }

  @Test
  @Order(3)
  void redis_is_away() {
    world.redis().kill();
    try {
      awaitFiring("FirstcomePartitionClosed");
    } finally {
      world.redis().restart();
    }
    world.awaitOpen();
    awaitEnd("FirstcomePartitionClosed");
  }

  @Test
  @Order(4)
  void redis_stops_for_moments() {
    var coupon = world.define(aCoupon().withTotal(1_000_000));
    var crowd = world.crowdWithoutRetries(coupon, Users.some(200_000));
    Await.until(
        LIMIT,
        "FirstcomeClaimsSlow",
        () -> {
          world.redis().pause();
          Await.pause(FREEZE);
          world.redis().resume();
          Await.pause(FREEZE);
          return prometheus.firing().contains("FirstcomeClaimsSlow");
        });
    Await.until(
        LIMIT,
        "FirstcomeOutcomeUnknown",
        () -> {
          world.redis().pause();
          Await.pause(FREEZE.multipliedBy(8));
          world.redis().resume();
          Await.pause(FREEZE.multipliedBy(3));
          return prometheus.firing().contains("FirstcomeOutcomeUnknown");
        });
    crowd.endsAfter(0).awaitEnd();
    awaitEnd("FirstcomeClaimsSlow");
  }

  @Test
  @Order(5)
  void customers_claim_without_being_admitted_by_the_waiting_room() {
    var coupon = world.define(aCoupon().openIn(Duration.ofSeconds(3)).withWaitingRoom(10));
    Await.until(
        LIMIT,
        "FirstcomeNoWins",
        () -> {
          world.send(Call.claim(coupon).as("ann"));
          return prometheus.firing().contains("FirstcomeNoWins");
        });
    assertStatus(200, operate(coupon, "close"));
    awaitEnd("FirstcomeNoWins");
  }

  @Test
  @Order(6)
  void more_requests_than_an_instance_handles() {
    var coupon = world.define(aCoupon().withTotal(10));
    Await.until(
        LIMIT,
        "FirstcomeRequestsOverloaded",
        () -> {
          world.crowdWithoutRetries(coupon, Users.some(1_000), crowded).awaitEnd();
          return prometheus.firing().contains("FirstcomeRequestsOverloaded");
        });
    awaitEnd("FirstcomeRequestsOverloaded");
  }

  @Test
  @Order(7)
  void a_setting_of_redis_is_weakened() {
    world.redis().command("CONFIG", "SET", "appendfsync", "everysec");
    try {
      awaitFiring("FirstcomeWeakness");
    } finally {
      world.redis().command("CONFIG", "SET", "appendfsync", "always");
    }
    awaitEnd("FirstcomeWeakness");
  }

  @Test
  @Order(8)
  void the_database_refuses_a_claim() {
    var coupon = world.define(aCoupon());
    change("ALTER TABLE user_coupon ADD CONSTRAINT refused CHECK (user_id <> 'ann') NOT VALID");
    try {
      assertStatus(202, Call.claim(coupon).as("ann"));
      awaitFiring("FirstcomeDeadLetters");
    } finally {
      change("ALTER TABLE user_coupon DROP CONSTRAINT refused");
    }
    var letters = new DeadLetterCalls(world);
    letters.of(coupon).forEach(letter -> letters.replay(letter.path("id").asLong()));
    awaitRows(coupon, 1);
    awaitEnd("FirstcomeDeadLetters");
  }

  @Test
  @Order(9)
  void a_transaction_of_an_operator_locks_a_partition() throws SQLException {
    var coupon = world.define(aCoupon());
    try (var operator = world.postgres().connect();
        var lock =
            operator.prepareStatement(
                "SELECT FROM stock_partition JOIN coupon USING (partition_id)"
                    + " WHERE coupon_id = ? FOR UPDATE OF stock_partition")) {
      operator.setAutoCommit(false);
      lock.setString(1, coupon);
      lock.execute();
      assertStatus(202, Call.claim(coupon).as("ann"));
      awaitFiring("FirstcomeCouponLocked");
      operator.rollback();
    }
    awaitRows(coupon, 1);
  }

  @Test
  @Order(10)
  void a_receiver_of_webhooks_is_gone() {
    var status = new AtomicInteger(410);
    try (var receiver = WebhookReceiver.answering(_ -> status.get())) {
      var webhooks = new Webhooks(world::send);
      var path = Webhooks.PATH + "/" + Webhooks.id(webhooks.add(receiver.url()));
      var coupon = world.define(aCoupon());
      assertStatus(202, Call.claim(coupon).as("ann"));
      awaitFiring("FirstcomeWebhookDisabled");

      status.set(204);
      int revision = world.send(Call.get(path).operator()).json().path("revision").asInt();
      var enable = Call.of("PATCH", path).json("{\"enabled\":true}");
      assertStatus(200, Webhooks.ifMatch(enable, revision));
      Await.until(
          WORK_LIMIT,
          "the event that waited",
          () -> receiver.taken().stream().anyMatch(message -> message.body().contains(coupon)));
      webhooks.deleteAll();
    }
  }

  @Test
  @Order(11)
  void the_row_of_a_coupon_is_edited_to_an_unknown_currency() {
    var coupon = world.define(aCoupon());
    var other = world.define(aCoupon());
    change("UPDATE coupon SET currency = 'QQQ' WHERE coupon_id = '%s'".formatted(coupon));
    awaitFiring("FirstcomeCouponUnreadable");
    change("UPDATE coupon SET currency = 'EUR' WHERE coupon_id = '%s'".formatted(coupon));
    awaitServed(other);
    awaitServed(coupon);
  }

  @Test
  @Order(12)
  void a_key_of_another_type_is_in_the_way_of_a_rebuild() {
    var coupon = world.define(aCoupon());
    awaitServed(coupon);
    awaitRows(coupon, 1);
    var key = world.redis().command("KEYS", "firstcome:*" + coupon + ":ledger").strip();
    assertThat(key).isNotEmpty();
    world.redis().command("DEL", key);
    world.redis().command("SET", key, "text");
    assertStatus(200, recovery());
    awaitFiring("FirstcomeCouponNotRebuilt");

    world.redis().command("DEL", key);
    assertStatus(200, recovery());
    awaitServed(coupon);
  }

  @Test
  @Order(13)
  void a_row_is_deleted() {
    var coupon = world.define(aCoupon());
    world.crowd(coupon, Users.some(10)).join();
    awaitRows(coupon, 10);
    change(
        "DELETE FROM user_coupon WHERE slot = 5 AND coupon_number ="
            + " (SELECT coupon_number FROM coupon WHERE coupon_id = '%s')".formatted(coupon));
    awaitFiring("FirstcomeDiscrepancy");
    Await.until(
        WORK_LIMIT,
        "a proof that it is exact",
        () -> world.send(Call.proof(coupon)).json().path("exact").asBoolean());
  }

  @Test
  @Order(14)
  void the_database_loses_a_pause_and_a_resume() {
    var coupon = world.define(aCoupon());
    var past = PastCoupon.of(world, coupon);
    assertStatus(200, operate(coupon, "pause"));
    assertStatus(200, operate(coupon, "resume"));
    past.putBack();
    assertStatus(200, operate(coupon, "close"));
    awaitFiring("FirstcomeChangesLost");
  }

  @Test
  @Order(15)
  void the_clock_of_redis_is_ahead() {
    var coupon = world.define(aCoupon());
    var later = world.define(aCoupon().openIn(Duration.ofMinutes(1)));
    world.redisClock().shiftBy(Duration.ofMinutes(2));
    try {
      Await.until(
          LIMIT,
          "claims before the opening",
          () -> world.send(Call.claim(later).as(Users.one())).status() == 202);
      awaitServed(coupon);
      awaitFiring("FirstcomeClockDiffers", "FirstcomeAcceptedAtImplausibleTime");
    } finally {
      world.redisClock().shiftBy(Duration.ZERO);
    }
    awaitEnd("FirstcomeClockDiffers");
  }

  /** Only the broker has the claim when Redis loses its data, and its slot is issued again. */
  @Test
  @Order(16)
  void redis_loses_an_accepted_claim_whose_slot_is_issued_to_another_user() {
    var coupon = world.define(aCoupon().withTotal(1));
    try (var messages = QueuedClaimMessages.tapped(world.amqp())) {
      messages.unbindQueue();
      assertStatus(202, Call.claim(coupon).as("ann"));
      var copies = new ArrayList<Message>();
      Await.until(
          WORK_LIMIT,
          "the message of the claim",
          () -> {
            copies.addAll(messages.copies());
            return copies.stream().anyMatch(copy -> copy.body().contains(coupon));
          });
      world.redis().kill();
      AppendOnlyFile.of(world).delete();
      world.redis().restart();
      messages.bindQueue();
      awaitServed(coupon);
      awaitRows(coupon, 1);
      messages.send(
          List.of(
              copies.stream()
                  .filter(copy -> copy.body().contains(coupon))
                  .findFirst()
                  .orElseThrow()));
    }
    awaitFiring("FirstcomeLateClaimRejected");

    assertThat(rejected(coupon)).containsExactly("ann");
    var claim = world.send(Call.claim(coupon).as("ann"));
    assertThat(claim.problem()).as(claim.body()).isEqualTo("rejected");
  }

  /** The query of the entry. */
  private List<String> rejected(String coupon) {
    var query =
        "SELECT user_id, rejected_at FROM rejected_claim WHERE coupon_id = '%s'".formatted(coupon);
    try (var connection = world.postgres().connect();
        var rows = connection.createStatement().executeQuery(query)) {
      var users = new ArrayList<String>();
      while (rows.next()) {
        users.add(rows.getString("user_id"));
      }
      return users;
    } catch (SQLException e) {
      throw new IllegalStateException(query, e);
    }
  }

  @Test
  @Order(17)
  void the_database_is_restored_from_an_older_backup() {
    var coupon = world.define(aCoupon());
    ServerData.of(world).backUpDatabase();
    world.redis().restart();
    world.awaitOpen();
    awaitServed(coupon);
    ServerData.of(world).restoreDatabase();
    awaitFiring("FirstcomeRecoveryStopped");

    var statement = recovery().json("{\"databaseWasSetBack\":true}");
    assertStatus(202, statement.as("olga"));
    assertStatus(200, statement.as("omar"));
    awaitServed(coupon);
  }
}
