package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Redemptions;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Customers return user coupons and operators revoke them; their slots are issued again. */
@ExtendWith(QuietLogs.class)
class ReturnApiIT {

  private static final int CALLERS = 200;

  private final World world = World.get();

  private String issued(String coupon, String user) {
    var claim = world.send(Call.claim(coupon).as(user).prefer("wait=10"));
    assertThat(claim.status()).as(claim.body()).isEqualTo(201);
    return claim.text("userCouponId");
  }

  private Answer giveBack(String userCoupon, String user) {
    return world.send(Call.of("DELETE", "/api/v1/me/coupons/" + userCoupon).as(user));
  }

  private Answer revoke(String userCoupon, String json) {
    var path = "/api/v1/admin/user-coupons/" + userCoupon + "/revocation";
    return world.send(Call.of("POST", path).operator().as("olga").json(json));
  }

  private Answer use(String userCoupon, String order) {
    return world.send(Redemptions.use(userCoupon, order, 9_000));
  }

  private String state(String coupon, String user) {
    return world.send(Call.status(coupon).as(user)).text("state");
  }

  private String couponOfOneSlot() {
    return world.define(aCoupon().withTotal(1).with("returnsToStock", "true"));
  }

  @Test
  void the_slot_of_a_returned_user_coupon_is_issued_to_the_next_user() {
    var coupon = couponOfOneSlot();
    var own = issued(coupon, "ann");
    assertProblem(world.send(Call.claim(coupon).as("bob")), 409, "sold-out");

    assertThat(giveBack(own, "ann").status()).isEqualTo(204);
    assertThat(giveBack(own, "ann").status()).isEqualTo(204);

    assertThat(state(coupon, "ann")).isEqualTo("RETURNED");
    assertProblem(world.send(Call.claim(coupon).as("ann")), 409, "returned");
    assertProblem(use(own, "order-1"), 409, "not-usable");
    var bobs = world.send(Call.claim(coupon).as("bob").prefer("wait=10"));
    assertThat(bobs.json().path("slot").asInt()).isEqualTo(1);
    assertProblem(world.send(Call.claim(coupon).as("carl")), 409, "sold-out");
  }

  @Test
  void a_coupon_that_returns_no_slots_to_stock_stays_sold_out() {
    var coupon = world.define(aCoupon().withTotal(1).with("returnsToStock", "false"));
    var own = issued(coupon, "ann");

    assertThat(giveBack(own, "ann").status()).isEqualTo(204);

    assertProblem(world.send(Call.claim(coupon).as("ann")), 409, "returned");
    assertProblem(world.send(Call.claim(coupon).as("bob")), 409, "sold-out");
  }

  @Test
  void an_operator_revokes_a_user_coupon_once_with_a_reason() {
    var coupon = couponOfOneSlot();
    var own = issued(coupon, "ann");

    var revoked = revoke(own, "{\"reason\":\"stolen account\"}");
    assertThat(revoked.status()).as(revoked.body()).isEqualTo(200);
    assertThat(revoked.text("state")).isEqualTo("REVOKED");
    assertThat(revoked.text("userId")).isEqualTo("ann");
    assertThat(revoke(own, "{\"reason\":\"another\"}").body()).isEqualTo(revoked.body());

    assertThat(state(coupon, "ann")).isEqualTo("REVOKED");
    assertProblem(world.send(Call.claim(coupon).as("ann")), 409, "returned");
    assertProblem(giveBack(own, "ann"), 409, "not-usable");
    issued(coupon, "bob");
  }

  @Test
  void invalid_requests_are_refused_and_change_nothing() {
    var coupon = couponOfOneSlot();
    var own = issued(coupon, "ann");

    assertProblem(giveBack(own, "eve"), 404, "unknown-user-coupon");
    assertProblem(giveBack("nothing", "ann"), 404, "unknown-user-coupon");
    assertProblem(revoke("NO." + "0".repeat(16), "{\"reason\":\"x\"}"), 404, "unknown-user-coupon");
    assertProblem(revoke(own, "{}"), 422, "invalid-revocation");
    assertProblem(revoke(own, "{\"reason\":\" \"}"), 422, "invalid-revocation");
    assertProblem(
        revoke(own, "{\"reason\":\"" + "x".repeat(501) + "\"}"), 422, "invalid-revocation");
    var path = "/api/v1/admin/user-coupons/" + own + "/revocation";
    assertProblem(
        world.send(Call.of("POST", path).as("ann").json("{\"reason\":\"x\"}")), 403, "forbidden");
    assertThat(state(coupon, "ann")).isEqualTo("ISSUED");

    assertThat(use(own, "order-1").status()).isEqualTo(201);
    assertProblem(giveBack(own, "ann"), 409, "not-usable");
    assertProblem(revoke(own, "{\"reason\":\"x\"}"), 409, "not-usable");
    assertThat(state(coupon, "ann")).isEqualTo("USED");
  }

  @Test
  @Timeout(120)
  void of_two_hundred_concurrent_uses_returns_and_revocations_one_succeeds() throws Exception {
    var coupon = couponOfOneSlot();
    world.crowd(coupon, List.of("ann")).join();
    var own = world.send(Call.claim(coupon).as("ann").prefer("wait=10")).text("userCouponId");
    var calls = new ArrayList<Callable<Answer>>();
    for (int i = 0; i < CALLERS; i++) {
      var order = "order-" + i;
      calls.add(
          switch (i % 3) {
            case 0 -> () -> use(own, order);
            case 1 -> () -> giveBack(own, "ann");
            default -> () -> revoke(own, "{\"reason\":\"%s\"}".formatted(order));
          });
    }
    int used = 0;
    int refused = 0;
    try (var threads = Executors.newFixedThreadPool(16)) {
      for (var call : threads.invokeAll(calls)) {
        var answer = call.get();
        used += answer.status() == 201 ? 1 : 0;
        refused += answer.status() == 409 ? 1 : 0;
        assertThat(answer.status()).as(answer.body()).isIn(200, 201, 204, 409, 503);
      }
    }

    boolean wasUsed = state(coupon, "ann").equals("USED");
    assertThat(used).isEqualTo(wasUsed ? 1 : 0);
    assertThat(refused).isGreaterThan(CALLERS / 3);
    world.crowd(coupon, Users.some(50)).join();
    assertThat(assertExact(world, coupon).rows()).hasSize(wasUsed ? 1 : 2);
  }
}
