package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Claimant;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract of claims: each answer, its members and its headers. */
@ExtendWith(QuietLogs.class)
class ClaimApiIT {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String CODE = "[0-9A-HJKMNP-TV-Z]{16}";

  private final World world = World.get();

  @Test
  void an_accepted_claim_has_slot_id_code_and_the_location_of_its_status() {
    var coupon = world.define(aCoupon());
    var answer = world.send(Call.claim(coupon).as(Users.one()));
    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.header("content-type")).startsWith("application/json");
    assertThat(answer.header("location")).endsWith("/api/v1/coupons/" + coupon + "/claims/me");
    assertThat(answer.json().propertyNames())
        .contains("outcome", "couponId", "userCouponId", "slot", "code", "state");
    assertThat(answer.text("outcome")).isEqualTo("ACCEPTED");
    assertThat(answer.text("state")).isEqualTo("ACCEPTED");
    assertThat(answer.text("couponId")).isEqualTo(coupon);
    assertThat(answer.text("userCouponId")).startsWith(coupon + ".");
    assertThat(answer.text("code")).matches(CODE);
    assertThat(answer.json().path("slot").asInt()).isEqualTo(1);
  }

  @Test
  void a_claim_that_is_repeated_before_its_row_is_written_is_already_accepted()
      throws SQLException {
    var coupon = world.define(aCoupon());
    var claim = Call.claim(coupon).as(Users.one());
    try (var session = world.postgres().connect()) {
      session.setAutoCommit(false);
      try (var select =
          session.prepareStatement("SELECT FROM coupon WHERE coupon_id = ? FOR UPDATE")) {
        select.setString(1, coupon);
        select.execute();
      }
      var first = world.send(claim);

      var again = world.send(claim);
      assertThat(again.status()).isEqualTo(200);
      assertThat(again.text("outcome")).isEqualTo("ALREADY_ACCEPTED");
      assertThat(again.text("state")).isEqualTo("ACCEPTED");
      assertThat(again.text("code")).isEqualTo(first.text("code"));
      assertThat(again.header("location")).isEqualTo(first.header("location"));
      session.rollback();
    }
  }

  @Test
  void a_waiting_claim_is_issued_and_its_retry_is_already_issued() {
    var coupon = world.define(aCoupon());
    var user = Users.one();
    var issued = world.send(Call.claim(coupon).as(user).prefer("respond-async, wait=10"));
    assertThat(issued.status()).isEqualTo(201);
    assertThat(issued.text("outcome")).isEqualTo("ISSUED");
    assertThat(issued.text("state")).isEqualTo("ISSUED");
    assertThat(issued.header("location"))
        .endsWith("/api/v1/me/coupons/" + issued.text("userCouponId"));

    var again = world.send(Call.claim(coupon).as(user));
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.text("outcome")).isEqualTo("ALREADY_ISSUED");
    assertThat(again.text("state")).isEqualTo("ISSUED");
    assertThat(again.header("location")).isEqualTo(issued.header("location"));
    assertSameCoupon(again, issued);

    var status = world.send(Call.status(coupon).as(user));
    assertThat(status.status()).isEqualTo(200);
    assertThat(status.text("state")).isEqualTo("ISSUED");
    assertThat(Instant.parse(status.text("issuedAt"))).isBefore(Instant.now().plusSeconds(60));
    assertSameCoupon(status, issued);
  }

  @Test
  void a_status_changes_from_none_to_accepted_to_issued() {
    var coupon = world.define(aCoupon());
    var user = Users.one();
    assertProblem(world.send(Call.status(coupon).as(user)), 404, "no-claim");
    var claim = world.send(Call.claim(coupon).as(user));
    var status = world.send(Call.status(coupon).as(user));
    assertThat(status.text("state")).isIn(Set.of("ACCEPTED", "ISSUED"));
    assertSameCoupon(status, claim);
    Await.until(
        SOON,
        "the status is ISSUED",
        () -> world.send(Call.status(coupon).as(user)).text("state").equals("ISSUED"));
  }

  @Test
  void a_user_coupon_is_shown_only_to_its_owner() {
    var coupon = world.define(aCoupon());
    var owner = Users.one();
    var issued = world.send(Call.claim(coupon).as(owner).prefer("wait=10"));
    var path = "/api/v1/me/coupons/" + issued.text("userCouponId");
    var shown = world.send(Call.get(path).as(owner));
    assertThat(shown.status()).isEqualTo(200);
    assertThat(shown.text("state")).isEqualTo("ISSUED");
    assertSameCoupon(shown, issued);

    var other = Users.one();
    var byAnother = Call.get(path).as(other).header("X-Request-Id: one");
    var refused = assertProblem(world.send(byAnother));
    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.text("requestId")).isEqualTo("one");
    world.send(Call.claim(coupon).as(other).prefer("wait=10"));
    var refusedToo = assertProblem(world.send(byAnother));
    assertThat(refusedToo.body()).isEqualTo(refused.body());
    var absent = assertProblem(world.send(Call.get(path + "X").as(owner)));
    assertThat(absent.status()).isEqualTo(404);
  }

  @Test
  void after_the_last_slot_claims_are_sold_out_and_retries_of_accepted_claims_get_their_slot() {
    var coupon = world.define(aCoupon().withTotal(1));
    var winner = Users.one();
    try (Claimant claimant = world.claimant()) {
      var first = claimant.claim(coupon, winner).orElseThrow();
      var late = claimant.claim(coupon, Users.one()).orElseThrow();
      assertThat(late.isSoldOut()).isTrue();
      var again = claimant.claim(coupon, winner).orElseThrow();
      assertThat(again.isRepeated()).as(again.outcome()).isTrue();
      assertThat(again.code()).isEqualTo(first.code());
    }
    assertProblem(world.send(Call.claim(coupon).as(Users.one())), 409, "sold-out");
    assertExact(world, coupon);
    var read = world.send(Call.get("/api/v1/coupons/" + coupon));
    assertThat(read.json().path("remaining").asInt(-1)).isZero();
  }

  @Test
  void a_claim_before_the_window_is_answered_with_the_opening_time() {
    var fixture = aCoupon().openIn(Duration.ofMinutes(10));
    var coupon = world.define(fixture);
    var answer = assertProblem(world.send(Call.claim(coupon).as(Users.one())), 409, "not-open");
    assertThat(answer.text("opensAt")).isEqualTo(fixture.definition().path("opensAt").asString());
    assertThat(Integer.parseInt(answer.header("retry-after"))).isBetween(500, 601);
  }

  @Test
  void a_claim_after_the_window_is_closed_and_a_retry_of_an_accepted_claim_gets_its_slot() {
    var coupon = world.define(aCoupon().closingIn(Duration.ofSeconds(3)));
    var winner = Users.one();
    var first = world.send(Call.claim(coupon).as(winner));
    assertThat(first.status()).as(first.body()).isEqualTo(202);
    Await.until(
        SOON,
        "claims are refused as closed",
        () -> world.send(Call.claim(coupon).as(Users.one())).problem().equals("closed"));
    assertProblem(world.send(Call.claim(coupon).as(Users.one())), 409, "closed");
    assertSameCoupon(world.send(Call.claim(coupon).as(winner)), first);
  }

  @Test
  void health_reports_liveness_and_readiness() {
    for (var probe : Set.of("", "/liveness", "/readiness", "/claims", "/wallets")) {
      var health = World.manage(world.service(), "/actuator/health" + probe);
      assertThat(health.status()).isEqualTo(200);
      assertThat(health.text("status")).isEqualTo("UP");
    }
    assertThat(World.manage(world.service(), "/actuator/env").status()).isEqualTo(401);
    assertThat(World.manage(world.service(), "/actuator/health/x/y").status()).isEqualTo(403);
    assertThat(World.manage(world.service(), "/api/v1/me/coupons").status()).isEqualTo(401);
    assertThat(world.send(Call.get("/actuator/health")).status()).isEqualTo(404);
    assertThat(world.send(Call.bare("GET", "/actuator/prometheus")).status()).isEqualTo(401);
  }

  @Test
  void claims_are_counted_by_their_outcome() {
    var coupon = world.define(aCoupon());
    world.send(Call.claim(coupon).as(Users.one()));
    var metrics = World.manage(world.service(), "/actuator/prometheus").body();
    assertThat(metrics.lines().filter(line -> line.startsWith("firstcome_claims_total{")))
        .isNotEmpty();
  }

  @Test
  void claim_requests_of_all_coupons_are_timed_together() {
    world.send(Call.claim(world.define(aCoupon())).as(Users.one()));
    var ofClaims = "uri=\"/api/v1/coupons/{couponId}/claims\"";
    Await.until(
        SOON,
        "a timed claim request",
        () -> World.metric(world.service(), "http_server_requests_seconds_count", ofClaims) > 0);
  }

  private static void assertSameCoupon(Answer one, Answer other) {
    for (var member : Set.of("couponId", "userCouponId", "slot", "code")) {
      assertThat(one.json().path(member)).as(member).isEqualTo(other.json().path(member));
    }
  }

  @Test
  void an_invalid_preference_is_ignored() {
    var coupon = world.define(aCoupon());
    for (var preference : Set.of("wait=-1", "wait=soon", "wait", "wait=99999999999", ",;=\"")) {
      var answer = world.send(Call.claim(coupon).as(Users.one()).prefer(preference));
      assertThat(answer.status()).as(preference).isBetween(200, 202);
    }
  }
}
