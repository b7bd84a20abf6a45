package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Claimant;
import io.firstcome.systemtests.kit.PostgresAlone;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The same service with PostgreSQL as the stock, and neither Redis nor a broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresAloneIT {

  private static final Duration END_LIMIT = Duration.ofMinutes(3);
  private static final Duration BACK_LIMIT = Duration.ofSeconds(60);

  private final PostgresAlone world = new PostgresAlone("postgres-alone");

  @AfterAll
  void close() {
    world.close();
  }

  @Test
  void concurrent_users_get_exactly_all_slots_and_every_accepted_claim_is_issued() {
    var coupon = world.define(aCoupon().withTotal(100));

    world.crowd(coupon, Users.some(2_000)).join();

    assertThat(world.assertExactInOrder(coupon).liveRows()).isEqualTo(100);
    assertThat(world.record().claimsOf(coupon).stream().filter(RecordedClaim::isOk))
        .hasSize(100)
        .allSatisfy(claim -> assertThat(claim.status()).isEqualTo(201));
    assertThat(number("SELECT sum(events) FROM event_outbox WHERE coupon_id = '%s'", coupon))
        .as("events in the outbox: one per issued user coupon, two shares, and sold-out")
        .isEqualTo(103);
  }

  @Test
  void a_service_killed_during_a_burst_loses_no_answered_claim() {
    var coupon = world.define(aCoupon().withTotal(1_000));
    var crowd = world.crowd(coupon, Users.some(2_000)).awaitMidBurst(300);

    int inFlight = crowd.inFlight();
    world.service().kill();
    assertThat(inFlight).as("requests in flight at the fault").isPositive();
    world.service().restart();
    crowd.join();
    world.awaitReady();

    assertThat(world.assertExactInOrder(coupon).liveRows()).isEqualTo(1_000);
  }

  @Test
  void a_database_killed_during_a_burst_issues_each_slot_once() {
    var coupon = world.define(aCoupon().withTotal(1_000));
    var crowd = world.crowd(coupon, Users.some(2_000)).awaitMidBurst(300);

    int inFlight = crowd.inFlight();
    world.postgres().kill();
    assertThat(inFlight).as("requests in flight at the fault").isPositive();
    Await.until(BACK_LIMIT, "the service is not ready", () -> !world.service().isReady());
    world.postgres().restart();
    crowd.join();
    world.awaitReady();

    assertThat(world.assertExactInOrder(coupon).liveRows()).isEqualTo(1_000);
  }

  @Test
  void a_coupon_passes_through_its_whole_life_cycle() {
    var coupon = world.define(aCoupon().withTotal(2).with("returnsToStock", "true"));
    var id = claimed(coupon, "ann").userCouponId();
    assertThat(claimed(coupon, "bob").slot()).isEqualTo(2);
    assertThat(world.send(Call.claim(coupon).as("cy")).body()).contains("sold-out");

    assertThat(world.send(Call.of("DELETE", "/api/v1/me/coupons/" + id).as("ann")).status())
        .isEqualTo(204);
    assertThat(claimed(coupon, "cy").slot()).isEqualTo(1);
    assertThat(world.send(Call.claim(coupon).as("ann")).body()).contains("returned");

    assertThat(operate(coupon, "pause").status()).isEqualTo(200);
    assertThat(world.send(Call.claim(coupon).as("dee")).body()).contains("paused");
    assertThat(operate(coupon, "resume").status()).isEqualTo(200);
    assertThat(operate(coupon, "close").status()).isEqualTo(200);
    assertThat(world.send(Call.proof(coupon)).json().path("exact").asBoolean()).isTrue();
    assertThat(operate(coupon, "archive").json().path("status").asString()).isEqualTo("ARCHIVED");
    assertThat(world.send(Call.claim(coupon).as("bob")).json().path("outcome").asString())
        .isEqualTo("ALREADY_ISSUED");
    assertThat(world.send(Call.claim(coupon).as("eve")).body()).contains("closed");
    assertThat(world.send(Call.proof(coupon)).json().path("exact").asBoolean()).isTrue();
  }

  private RecordedClaim claimed(String coupon, String user) {
    try (Claimant claimant = world.claimant()) {
      var claim = claimant.claim(coupon, user).orElseThrow();
      assertThat(claim.status()).isEqualTo(201);
      return claim;
    }
  }

  private Answer operate(String coupon, String operation) {
    return world.send(
        Call.of("POST", "/api/v1/admin/coupons/%s/%s".formatted(coupon, operation)).operator());
  }

  @Test
  void definitions_that_need_redis_are_refused() {
    var elsewhere = world.send(Call.define(aCoupon().with("stockBackend", "\"redis\"").json()));
    assertThat(elsewhere.status()).as(elsewhere.body()).isEqualTo(422);
    assertThat(elsewhere.json().path("errors").has("stockBackend")).isTrue();
  }

  @Test
  void operators_see_the_stock_backend() {
    var coupon = world.define(aCoupon().with("stockBackend", "\"postgres\""));

    assertThat(
            world
                .send(Call.get("/api/v1/admin/coupons/" + coupon).operator())
                .json()
                .path("stockBackend")
                .asString())
        .isEqualTo("postgres");
  }

  @Test
  void the_service_uses_neither_redis_nor_a_broker() throws IOException {
    assertThat(World.manage(world.service(), "/actuator/health").json().path("components"))
        .as("components of health")
        .isNotEmpty();
    assertThat(World.manage(world.service(), "/actuator/health").status()).isEqualTo(200);
    assertThat(Files.readString(world.service().logFile()))
        .doesNotContainIgnoringCase("redis", "rabbit");
  }

  @Test
  void a_strict_start_checks_only_postgres() {
    try (ServiceProcess strict = world.start("strict", Map.of("FIRSTCOME_STRICT", "true"))) {
      strict.awaitReady(END_LIMIT);
    }
  }

  @Test
  void the_service_refuses_to_start_while_a_coupon_is_in_redis() throws IOException, SQLException {
    var coupon = world.define(aCoupon());
    execute("UPDATE coupon SET stock_backend = 'REDIS' WHERE coupon_id = '%s'", coupon);
    try (ServiceProcess refusing = world.start("refusing", Map.of())) {
      assertThat(refusing.awaitEnd(END_LIMIT)).isNotZero();
      assertThat(Files.readAllLines(refusing.logFile()).stream().filter(l -> l.contains(" ERROR ")))
          .singleElement()
          .satisfies(line ->
              assertThat(line).contains("firstcome.stock=postgres refuses to start", coupon));
    } finally {
      execute("UPDATE coupon SET stock_backend = 'POSTGRES' WHERE coupon_id = '%s'", coupon);
    }
  }

  private void execute(String sql, String coupon) throws SQLException {
    try (var connection = world.postgres().connect();
        var statement = connection.createStatement()) {
      statement.execute(sql.formatted(coupon));
    }
  }

  private long number(String sql, String coupon) {
    try (var connection = world.postgres().connect();
        var statement = connection.createStatement();
        var found = statement.executeQuery(sql.formatted(coupon))) {
      found.next();
      return found.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
