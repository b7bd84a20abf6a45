package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.World;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A customer redeems a coupon of 5 EUR for orders of at least 20 EUR. */
@ExtendWith(QuietLogs.class)
class RedemptionApiIT {

  private static final String TEN_MINUTES = ",\"hold\":\"PT10M\"";

  private final World world = World.get();

  private final String coupon =
      world.define(aCoupon().with("minimumOrder", "{\"minorUnits\":2000,\"currency\":\"EUR\"}"));

  private String issued(String user) {
    var claim = world.send(Call.claim(coupon).as(user).prefer("wait=10"));
    assertThat(claim.status()).as(claim.body()).isEqualTo(201);
    return claim.text("userCouponId");
  }

  private Answer take(String user, String userCoupon, String order, long amount, String more) {
    var json =
        "{\"orderId\":\"%s\",\"amount\":{\"minorUnits\":%d,\"currency\":\"EUR\"}%s}"
            .formatted(order, amount, more);
    return world.send(Call.of("POST", redemptions(userCoupon)).as(user).json(json));
  }

  private Answer confirm(String user, String userCoupon, String order) {
    return world.send(
        Call.of("POST", redemptions(userCoupon) + "/" + order + "/confirmation").as(user));
  }

  private Answer cancel(String user, String userCoupon, String order) {
    return world.send(Call.of("DELETE", redemptions(userCoupon) + "/" + order).as(user));
  }

  private Answer read(String user, String userCoupon) {
    return world.send(Call.get("/api/v1/me/coupons/" + userCoupon).as(user));
  }

  private static String redemptions(String userCoupon) {
    return "/api/v1/me/coupons/" + userCoupon + "/redemptions";
  }

  @Test
  void a_user_coupon_is_held_confirmed_cancelled_and_used_on_another_order() {
    var own = issued("ann");

    var held = take("ann", own, "order-1", 3_000, TEN_MINUTES);
    assertThat(held.status()).as(held.body()).isEqualTo(201);
    assertThat(held.text("state")).isEqualTo("HELD");
    assertThat(held.text("redemptionId")).isEqualTo(own + ":order-1");
    assertThat(held.json().path("discount").path("minorUnits").asInt()).isEqualTo(500);
    assertThat(take("ann", own, "order-1", 3_000, TEN_MINUTES).status()).isEqualTo(200);
    assertProblem(take("ann", own, "order-2", 3_000, ""), 409, "held-by-another-order");
    assertThat(read("ann", own).text("state")).isEqualTo("HELD");

    var confirmed = confirm("ann", own, "order-1");
    assertThat(confirmed.status()).as(confirmed.body()).isEqualTo(200);
    assertThat(confirmed.text("state")).isEqualTo("CONFIRMED");
    assertThat(confirm("ann", own, "order-1").body()).isEqualTo(confirmed.body());
    assertProblem(take("ann", own, "order-2", 3_000, ""), 409, "already-used");
    assertThat(read("ann", own).json().path("redemption").path("orderId").asString())
        .isEqualTo("order-1");
    var again = world.send(Call.claim(coupon).as("ann"));
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.text("state")).isEqualTo("USED");

    assertThat(cancel("ann", own, "order-1").status()).isEqualTo(204);
    assertThat(cancel("ann", own, "order-1").status()).isEqualTo(204);
    assertThat(read("ann", own).text("state")).isEqualTo("ISSUED");
    assertProblem(confirm("ann", own, "order-1"), 409, "not-held");
    assertThat(take("ann", own, "order-2", 2_000, "").text("state")).isEqualTo("CONFIRMED");
    var status = world.send(Call.status(coupon).as("ann"));
    assertThat(status.text("state")).isEqualTo("USED");
  }

  @Test
  void invalid_requests_are_refused_and_change_nothing() {
    var own = issued("bob");

    var below = take("bob", own, "order-1", 1_999, "");
    assertProblem(below, 409, "not-applicable");
    assertThat(below.text("reason")).isEqualTo("BELOW_MINIMUM");
    assertProblem(take("eve", own, "order-1", 3_000, ""), 404, "unknown-user-coupon");
    assertProblem(take("bob", "NO." + "0".repeat(16), "o", 3_000, ""), 404, "unknown-user-coupon");
    assertProblem(take("bob", "nothing", "o", 3_000, ""), 404, "unknown-user-coupon");
    assertProblem(confirm("bob", own, "order-1"), 404, "unknown-redemption");
    assertProblem(cancel("bob", own, "order-1"), 404, "unknown-redemption");
    assertThat(read("bob", own).text("state")).isEqualTo("ISSUED");
  }

  @Test
  void invalid_members_are_reported() {
    var own = issued("carl");

    var wrong = take("carl", own, "a b", -1, ",\"hold\":\"ten minutes\"");
    assertProblem(wrong, 422, "invalid-order");
    assertThat(wrong.json().path("errors").propertyNames())
        .containsExactlyInAnyOrder("orderId", "amount", "hold");
    assertProblem(take("carl", own, "o", 3_000, ",\"hold\":\"PT0.5S\""), 422, "invalid-order");
    assertProblem(take("carl", own, "o", 3_000, ",\"user\":\"eve\""), 400, "malformed-request");
    for (var body : List.of("{}", "{\"orderId\":\"o\",\"amount\":{}}")) {
      assertProblem(
          world.send(Call.of("POST", redemptions(own)).as("carl").json(body)),
          422,
          "invalid-order");
    }
    assertThat(read("carl", own).text("state")).isEqualTo("ISSUED");
  }

  @Test
  void a_redemption_without_a_user_is_unauthenticated() {
    var own = issued("dora");

    assertProblem(world.send(Call.of("POST", redemptions(own)).json("{}")), 401, "unauthenticated");
    assertProblem(
        world.send(Call.bare("DELETE", redemptions(own) + "/o").as("dora")),
        401,
        "unauthenticated");
  }
}
