package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Redemptions;
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

  private Answer release(String user, String userCoupon, String order) {
    return world.send(Call.of("DELETE", redemptions(userCoupon) + "/" + order).as(user));
  }

  private Answer read(String user, String userCoupon) {
    return world.send(Call.get("/api/v1/me/coupons/" + userCoupon).as(user));
  }

  private static String redemptions(String userCoupon) {
    return "/api/v1/me/coupons/" + userCoupon + "/redemptions";
  }

  private Answer find(String user, String userCoupon, String order) {
    return world.send(Call.get(redemptions(userCoupon) + "/" + order).as(user));
  }

  @Test
  void a_user_coupon_is_held_and_released_and_held_for_another_order() {
    var own = issued("ann");

    var held = take("ann", own, "order-1", 3_000, TEN_MINUTES);
    assertThat(held.status()).as(held.body()).isEqualTo(201);
    assertThat(held.text("state")).isEqualTo("HELD");
    assertThat(held.text("redemptionId")).isEqualTo(own + ":order-1");
    assertThat(held.json().path("discount").path("minorUnits").asInt()).isEqualTo(500);
    assertThat(held.json().has("shop")).isFalse();
    assertThat(take("ann", own, "order-1", 3_000, TEN_MINUTES).status()).isEqualTo(200);
    assertProblem(take("ann", own, "order-2", 3_000, TEN_MINUTES), 409, "held-by-another-order");
    assertThat(read("ann", own).text("state")).isEqualTo("HELD");
    assertThat(world.send(Call.get(held.header("location")).as("ann")).body())
        .isEqualTo(held.body());
    assertProblem(find("eve", own, "order-1"), 404, "unknown-redemption");

    assertThat(release("ann", own, "order-1").status()).isEqualTo(204);
    assertThat(release("ann", own, "order-1").status()).isEqualTo(204);
    assertThat(read("ann", own).text("state")).isEqualTo("ISSUED");
    assertThat(find("ann", own, "order-1").text("state")).isEqualTo("RELEASED");
    assertThat(take("ann", own, "order-2", 2_000, TEN_MINUTES).text("state")).isEqualTo("HELD");
  }

  @Test
  void a_customer_cannot_use_a_coupon_or_end_what_the_shop_has_taken() {
    var own = issued("fay");

    assertProblem(take("fay", own, "order-1", 3_000, ""), 403, "only-shops-use");
    take("fay", own, "order-1", 900_000_000_000L, TEN_MINUTES);
    assertProblem(confirm("fay", own, "order-1"), 403, "only-shops-use");
    assertThat(read("fay", own).text("state")).isEqualTo("HELD");

    var used = world.send(Redemptions.use(own, "order-1", 3_000));
    assertThat(used.status()).as(used.body()).isEqualTo(201);
    assertThat(used.json().path("amount").path("minorUnits").asInt()).isEqualTo(3_000);
    assertProblem(release("fay", own, "order-1"), 409, "taken-by-shop");
    assertThat(read("fay", own).text("state")).isEqualTo("USED");
    assertThat(find("fay", own, "order-1").text("shop")).isEqualTo(Redemptions.SHOP);
    var again = world.send(Call.claim(coupon).as("fay"));
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.text("state")).isEqualTo("USED");
    assertThat(world.send(Call.status(coupon).as("fay")).text("state")).isEqualTo("USED");
  }

  @Test
  void invalid_requests_are_refused_and_change_nothing() {
    var own = issued("bob");

    var below = take("bob", own, "order-1", 1_999, TEN_MINUTES);
    assertProblem(below, 409, "not-applicable");
    assertThat(below.text("reason")).isEqualTo("BELOW_MINIMUM");
    assertProblem(take("eve", own, "order-1", 3_000, TEN_MINUTES), 404, "unknown-user-coupon");
    assertProblem(
        take("bob", "NO." + "0".repeat(16), "o", 3_000, TEN_MINUTES), 404, "unknown-user-coupon");
    assertProblem(take("bob", "nothing", "o", 3_000, TEN_MINUTES), 404, "unknown-user-coupon");
    assertProblem(confirm("bob", own, "order-1"), 404, "unknown-redemption");
    assertProblem(release("bob", own, "order-1"), 404, "unknown-redemption");
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
