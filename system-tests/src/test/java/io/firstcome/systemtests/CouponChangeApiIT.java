package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An operator pauses, resumes, closes and raises a coupon, also while it is claimed. */
@ExtendWith(QuietLogs.class)
class CouponChangeApiIT {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final World world = World.get();

  @Test
  void claims_are_refused_as_paused_until_the_coupon_is_resumed() {
    var coupon = world.define(aCoupon());
    assertStatus(change(coupon, "pause"), "PAUSED");
    assertProblem(claim(coupon, "ann"), 409, "paused");
    assertStatus(change(coupon, "pause"), "PAUSED");

    assertStatus(change(coupon, "resume"), "ACTIVE");
    assertThat(claim(coupon, "ann").status()).isEqualTo(202);
  }

  @Test
  void a_closed_coupon_stays_closed() {
    var coupon = world.define(aCoupon());
    assertThat(claim(coupon, "ann").status()).isEqualTo(202);
    assertStatus(change(coupon, "close"), "CLOSED");

    assertProblem(claim(coupon, "bob"), 409, "closed");
    assertThat(claim(coupon, "ann").text("outcome")).startsWith("ALREADY_");
    assertProblem(change(coupon, "resume"), 409, "closed");
    assertProblem(raise(coupon, "{\"totalQuantity\":101}"), 409, "closed");
    var read = world.send(Call.get("/api/v1/coupons/" + coupon));
    assertThat(read.text("status")).isEqualTo("CLOSED");
  }

  @Test
  void the_quantity_can_only_be_raised() {
    var coupon = world.define(aCoupon().withTotal(10));
    var raised = raise(coupon, "{\"totalQuantity\":11}");
    assertThat(raised.status()).as(raised.body()).isEqualTo(200);
    assertThat(raised.json().path("totalQuantity").asInt()).isEqualTo(11);

    assertProblem(raise(coupon, "{\"totalQuantity\":10}"), 409, "lower-quantity");
    for (var wrong : List.of("0", "-1", "100000001", "null")) {
      var answer = raise(coupon, "{\"totalQuantity\":%s}".formatted(wrong));
      assertProblem(answer, 422, "invalid-coupon");
      assertThat(answer.json().path("errors").propertyNames()).containsExactly("totalQuantity");
    }
    for (var wrong : List.of("{\"quantity\":12}", "{\"totalQuantity\":\"many\"}", "12", "")) {
      assertProblem(raise(coupon, wrong), 400, "malformed-request");
    }
    var read = world.send(Call.get("/api/v1/coupons/" + coupon));
    assertThat(read.json().path("totalQuantity").asInt()).isEqualTo(11);
    assertThat(read.json().path("remaining").asInt()).isEqualTo(11);
  }

  @Test
  void only_operators_can_change_coupons_and_only_existing_ones() {
    var coupon = world.define(aCoupon());
    for (var change : List.of("pause", "resume", "close")) {
      var path = path(coupon, change);
      assertProblem(world.send(Call.of("POST", path).as("ann")), 403, "forbidden");
      assertProblem(world.send(Call.bare("POST", path).operator()), 401, "unauthenticated");
      assertProblem(change("NOWHERE", change), 404, "unknown-coupon");
      assertProblem(change("lower", change), 404, "unknown-coupon");
    }
    assertProblem(raise("NOWHERE", "{\"totalQuantity\":5}"), 404, "unknown-coupon");
    assertThat(claim(coupon, "ann").status()).isEqualTo(202);
  }

  @Test
  void slots_added_during_a_burst_are_issued_exactly_once() {
    var coupon = world.define(aCoupon().withTotal(300));
    var crowd = world.crowd(coupon, Users.some(4_000)).awaitMidBurst(100);
    assertThat(raise(coupon, "{\"totalQuantity\":600}").status()).isEqualTo(200);
    crowd.awaitMidBurst(400);
    assertThat(raise(coupon, "{\"totalQuantity\":900}").status()).isEqualTo(200);
    crowd.join();
    // A raise waits until leases on "sold out" are over, and the burst can end before.
    world.crowd(coupon, Users.some(1_000)).join();

    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(900);
  }

  @Test
  void a_pause_while_redis_is_down_is_stored_and_applied_after_the_restart() {
    var coupon = world.define(aCoupon());
    world.redis().kill();
    var answer = change(coupon, "pause");
    assertThat(answer.status()).as(answer.body()).isEqualTo(503);
    assertThat(answer.problem()).isEqualTo("outcome-unknown");
    assertThat(answer.text("detail")).contains("stored");

    world.redis().restart();

    Await.until(
        LIMIT,
        "the coupon is paused",
        () -> claim(coupon, "ann").text("type").equals("urn:firstcome:problem:paused"));
    assertStatus(change(coupon, "pause"), "PAUSED");
    world.awaitOpen();
  }

  private Answer change(String coupon, String change) {
    return world.send(Call.of("POST", path(coupon, change)).operator());
  }

  private Answer raise(String coupon, String json) {
    return world.send(Call.of("POST", path(coupon, "quantity")).operator().json(json));
  }

  private static String path(String coupon, String change) {
    return "/api/v1/admin/coupons/%s/%s".formatted(coupon, change);
  }

  private Answer claim(String coupon, String user) {
    return world.send(Call.claim(coupon).as(user));
  }

  private static void assertStatus(Answer answer, String status) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.text("status")).isEqualTo(status);
  }
}
