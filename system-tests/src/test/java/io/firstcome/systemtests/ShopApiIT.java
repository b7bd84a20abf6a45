package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An order service or a till redeems coupons of 5 EUR for orders of at least 20 EUR, by id or code.
 */
@ExtendWith(QuietLogs.class)
class ShopApiIT {

  private static final String PATH = "/api/v1/redemptions";
  private static final String TEN_MINUTES = ",\"hold\":\"PT10M\"";
  private static final String UNKNOWN_CODE = "0000-0000-0000-0000";
  private static final int WRONG_CODES = 20;
  private static final int CALLERS = 200;

  private final World world = World.get();
  private final String customer = Users.one();
  private final String shop = newShop();
  private final String otherShop = newShop();
  private final Answer issued = issue();
  private final String id = issued.text("userCouponId");
  private final String code = issued.text("code");

  private static String newShop() {
    return "shop-" + Users.one().replaceAll("[^A-Za-z0-9]", "");
  }

  private Answer issue() {
    var minimum = "{\"minorUnits\":2000,\"currency\":\"EUR\"}";
    var coupon = world.define(aCoupon().with("minimumOrder", minimum));
    var claim = world.send(Call.claim(coupon).as(customer).prefer("wait=10"));
    assertThat(claim.status()).as(claim.body()).isEqualTo(201);
    return claim;
  }

  private static String byId(String id) {
    return "\"userCouponId\":\"%s\"".formatted(id);
  }

  private static String byCode(String code) {
    return "\"code\":\"%s\"".formatted(code);
  }

  private static String wanted(String which, String order, long amount, String more) {
    return "{%s,\"orderId\":\"%s\",\"amount\":{\"minorUnits\":%d,\"currency\":\"EUR\"}%s}"
        .formatted(which, order, amount, more);
  }

  private Answer take(String which, String order, long amount, String more) {
    return send(wanted(which, order, amount, more));
  }

  private Answer send(String json) {
    return world.send(Call.of("POST", PATH).shop(shop).json(json));
  }

  private Answer confirm(String redemption) {
    return world.send(Call.of("POST", PATH + "/" + redemption + "/confirmation").shop(shop));
  }

  private Answer release(String redemption) {
    return world.send(Call.of("DELETE", PATH + "/" + redemption).shop(shop));
  }

  private Answer undo(String redemption) {
    return world.send(undoCall(redemption).shop(shop));
  }

  private static Call undoCall(String redemption) {
    return Call.of("POST", PATH + "/" + redemption + "/cancellation")
        .json("{\"reason\":\"out of stock\"}");
  }

  private String state() {
    return world.send(Call.get("/api/v1/me/coupons/" + id).as(customer)).text("state");
  }

  @Test
  void a_user_coupon_is_held_by_its_code_confirmed_cancelled_and_used_by_its_id() {
    var held = take(byCode(code), "order-1", 3_000, TEN_MINUTES);
    assertThat(held.status()).as(held.body()).isEqualTo(201);
    assertThat(held.text("state")).isEqualTo("HELD");
    assertThat(held.text("redemptionId")).isEqualTo(id + ":order-1");
    assertThat(held.header("location")).endsWith(PATH + "/" + id + ":order-1");
    assertThat(held.json().path("discount").path("minorUnits").asInt()).isEqualTo(500);
    assertThat(held.body()).doesNotContain(customer, code);
    assertThat(take(byId(id), "order-1", 3_000, TEN_MINUTES).status()).isEqualTo(200);
    assertProblem(take(byCode(code), "order-2", 3_000, ""), 409, "held-by-another-order");

    var confirmed = confirm(id + ":order-1");
    assertThat(confirmed.status()).as(confirmed.body()).isEqualTo(200);
    assertThat(confirmed.text("state")).isEqualTo("CONFIRMED");
    assertThat(confirm(id + ":order-1").body()).isEqualTo(confirmed.body());
    assertThat(state()).isEqualTo("USED");

    assertProblem(release(id + ":order-1"), 409, "already-used");
    assertThat(undo(id + ":order-1").status()).isEqualTo(204);
    assertThat(undo(id + ":order-1").status()).isEqualTo(204);
    assertThat(release(id + ":order-1").status()).isEqualTo(204);
    assertProblem(confirm(id + ":order-1"), 409, "not-held");
    assertThat(take(byId(id), "order-2", 3_000, "").text("state")).isEqualTo("CONFIRMED");
    assertProblem(take(byCode(code), "order-1", 3_000, ""), 409, "already-used");
  }

  @Test
  void a_shop_gets_quotes_on_behalf_of_a_customer() {
    var amount = "\"amount\":{\"minorUnits\":2000,\"currency\":\"EUR\"}";
    var body = "{\"customerId\":\"%s\",\"orderId\":\"order-1\",%s}";
    var quotes = Call.of("POST", PATH + "/quotes").shop(shop);

    var quote = world.send(quotes.json(body.formatted(customer, amount)));
    assertThat(quote.status()).as(quote.body()).isEqualTo(200);
    assertThat(quote.json().path("best").path("userCouponId").asString()).isEqualTo(id);
    assertThat(quote.body()).doesNotContain(code);

    assertThat(world.send(quotes.json(body.formatted(Users.one(), amount))).body())
        .isEqualTo("{\"all\":[]}");
    assertProblem(world.send(quotes.json(body.formatted("", amount))), 422, "invalid-order");
    assertProblem(world.send(quotes.json("{%s}".formatted(amount))), 422, "invalid-order");
    assertProblem(
        world.send(
            Call.of("POST", PATH + "/quotes").as(customer).json(body.formatted(customer, amount))),
        403,
        "forbidden");
  }

  @Test
  void a_code_is_accepted_in_any_case_and_with_separators() {
    var typed = code.toLowerCase(Locale.ROOT).replace('0', 'o').replace('1', 'l');

    var taken = take(byCode(" " + typed.replaceAll("(....)", "$1-")), "order-1", 3_000, "");
    assertThat(taken.status()).as(taken.body()).isEqualTo(201);
    assertThat(state()).isEqualTo("USED");
  }

  @Test
  void invalid_requests_are_refused_and_change_nothing() {
    var below = take(byCode(code), "order-1", 1_999, "");
    assertProblem(below, 409, "not-applicable");
    assertThat(below.text("reason")).isEqualTo("BELOW_MINIMUM");
    var absentId = "NO." + "0".repeat(16);
    assertProblem(take(byId(absentId), "o", 3_000, ""), 404, "unknown-user-coupon");
    assertProblem(take(byId("nothing"), "o", 3_000, ""), 404, "unknown-user-coupon");
    assertProblem(take(byCode(UNKNOWN_CODE), "o", 3_000, ""), 404, "unknown-code");
    assertProblem(take(byCode("nothing"), "o", 3_000, ""), 404, "unknown-code");
    assertProblem(confirm(absentId + ":o"), 404, "unknown-user-coupon");
    for (var unknown : List.of(id + ":order-1", id, id + ":a%20b", "nothing")) {
      assertProblem(confirm(unknown), 404, "unknown-redemption");
      assertProblem(release(unknown), 404, "unknown-redemption");
      assertProblem(undo(unknown), 404, "unknown-redemption");
    }
    assertThat(state()).isEqualTo("ISSUED");
  }

  @Test
  void redemptions_are_found_by_id_and_by_order() {
    var used = take(byId(id), "order-7", 3_000, "");
    var other = issue();
    var held = take(byCode(other.text("code")), "order-7", 2_500, TEN_MINUTES);

    assertThat(world.send(Call.get(used.header("location")).shop(shop)).body())
        .isEqualTo(used.body());
    var ofOrder = world.send(Call.get(PATH + "?orderId=order-7").shop(shop));
    assertThat(ofOrder.json().path("items").values().stream().map(Object::toString).toList())
        .containsExactlyInAnyOrder(used.body(), held.body());
    undo(id + ":order-7");
    assertThat(world.send(Call.get(used.header("location")).shop(shop)).text("state"))
        .isEqualTo("UNDONE");
    assertThat(world.send(Call.get(PATH + "?orderId=order-8").shop(shop)).body())
        .isEqualTo("{\"items\":[]}");
    assertProblem(world.send(Call.get(PATH + "?orderId=a%20b").shop(shop)), 422, "invalid-order");
    var withoutOrder = world.send(Call.get(PATH).shop(shop));
    assertProblem(withoutOrder, 400, "malformed-request");
    assertThat(withoutOrder.text("detail")).isEqualTo("orderId is missing.");
    assertProblem(world.send(Call.get(PATH).shop(shop)), 400, "malformed-request");
  }

  /** Every call on a redemption, by the shop that has made it and by another one. */
  @Test
  void a_redemption_is_unknown_to_other_shops() {
    var redemption = id + ":order-1";
    take(byId(id), "order-1", 3_000, TEN_MINUTES);
    assertUnknownToOtherShop(redemption);
    assertThat(state()).isEqualTo("HELD");

    confirm(redemption);
    assertUnknownToOtherShop(redemption);
    assertThat(state()).isEqualTo("USED");

    assertThat(undo(redemption).status()).isEqualTo(204);
    assertUnknownToOtherShop(redemption);
  }

  private void assertUnknownToOtherShop(String redemption) {
    var path = PATH + "/" + redemption;
    for (var call :
        List.of(
            Call.get(path),
            Call.of("POST", path + "/confirmation"),
            Call.of("DELETE", path),
            undoCall(redemption))) {
      assertProblem(world.send(call.shop(otherShop)), 404, "unknown-redemption");
    }
    assertThat(world.send(Call.get(PATH + "?orderId=order-1").shop(otherShop)).body())
        .isEqualTo("{\"items\":[]}");
  }

  @Test
  void an_operator_ends_redemptions_of_any_shop() {
    var path = "/api/v1/admin/redemptions/" + id + ":order-1";
    var cancellation = Call.of("POST", path + "/cancellation").operator();
    take(byId(id), "order-1", 3_000, "");

    assertThat(world.send(Call.get(path).operator()).text("shop")).isEqualTo(shop);
    assertProblem(world.send(Call.of("DELETE", path).operator()), 409, "already-used");
    assertProblem(world.send(cancellation.json("{}")), 422, "invalid-cancellation");
    assertThat(world.send(cancellation.json("{\"reason\":\"wrong till\"}")).status())
        .isEqualTo(204);
    assertThat(state()).isEqualTo("ISSUED");
    take(byId(id), "order-1", 3_000, TEN_MINUTES);
    assertThat(world.send(Call.of("DELETE", path).operator()).status()).isEqualTo(204);
    assertThat(state()).isEqualTo("ISSUED");
  }

  @Test
  void invalid_members_are_reported() {
    var both = send(wanted(byCode(code) + "," + byId(id), "a b", 3_000, ""));
    assertProblem(both, 422, "invalid-order");
    assertThat(both.json().path("errors").propertyNames())
        .containsExactlyInAnyOrder("code", "userCouponId", "orderId");
    var neither = send("{}");
    assertProblem(neither, 422, "invalid-order");
    assertThat(neither.json().path("errors").propertyNames())
        .containsExactlyInAnyOrder("code", "userCouponId", "orderId", "amount");
    assertProblem(take(byId(id), "o", 3_000, ",\"hold\":\"PT25H\""), 422, "invalid-order");
    assertProblem(take(byId(id), "o", 3_000, ",\"user\":\"eve\""), 400, "malformed-request");
    assertThat(state()).isEqualTo("ISSUED");
  }

  @Test
  void only_a_shop_with_an_id_is_permitted() {
    var json = wanted(byId(id), "order-1", 3_000, "");
    var own = PATH + "/" + id + ":order-1";
    for (var call :
        List.of(
            Call.of("POST", PATH).json(json),
            Call.of("POST", own + "/confirmation"),
            Call.of("DELETE", own),
            Call.get(own),
            Call.get(PATH + "?orderId=order-1"),
            undoCall(id + ":order-1"))) {
      var refused = assertProblem(world.send(call.as(customer)), 403, "forbidden");
      assertThat(refused.text("detail")).contains("coupon:redeem");
      assertProblem(world.send(call.as(customer).operator()), 403, "forbidden");
      assertProblem(
          world.send(call.as(customer).header("X-Scopes: coupon:redeem")), 401, "unauthenticated");
    }
    assertProblem(
        world.send(Call.bare("POST", PATH).shop(shop).json(json)), 401, "unauthenticated");
    assertThat(state()).isEqualTo("ISSUED");
  }

  @Test
  void after_twenty_wrong_codes_of_a_customer_every_code_of_this_customer_is_refused() {
    var eve = ",\"customerId\":\"eve\",\"customerAddress\":\"192.0.2.1\"";
    for (int i = 0; i < WRONG_CODES; i++) {
      var wrong = i % 2 == 0 ? UNKNOWN_CODE : "wrong-" + i;
      assertProblem(take(byCode(wrong), "order-1", 3_000, eve), 404, "unknown-code");
    }

    for (var any : List.of(UNKNOWN_CODE, code)) {
      var refused = take(byCode(any), "order-1", 3_000, eve);
      assertProblem(refused, 429, "too-many-requests");
      assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(1, 63);
    }
    var sameAddress = ",\"customerAddress\":\"192.0.2.1\"";
    assertProblem(take(byCode(code), "order-1", 3_000, sameAddress), 429, "too-many-requests");
    assertThat(state()).isEqualTo("ISSUED");
    var ann = ",\"customerId\":\"ann\",\"customerAddress\":\"192.0.2.2\"";
    var other = take(byCode(code), "order-1", 3_000, ann + TEN_MINUTES);
    assertThat(other.status()).as(other.body()).isEqualTo(201);
    assertThat(take(byId(id), "order-1", 3_000, "").text("state")).isEqualTo("CONFIRMED");
  }

  @Test
  @Timeout(120)
  void of_two_hundred_concurrent_orders_by_code_id_and_shops_exactly_one_succeeds()
      throws Exception {
    var answers = new ArrayList<Answer>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<Callable<Answer>>();
      for (int i = 0; i < CALLERS; i++) {
        var order = "order-" + i;
        calls.add(
            switch (i % 3) {
              case 0 -> () -> Answer.whenHandled(() -> take(byCode(code), order, 3_000, ""));
              case 1 -> () -> Answer.whenHandled(() -> take(byId(id), order, 3_000, ""));
              default -> () -> Answer.whenHandled(() -> takeByOtherShop(order));
            });
      }
      for (var answer : threads.invokeAll(calls)) {
        answers.add(answer.get());
      }
    }

    assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(1);
    assertThat(answers).filteredOn(answer -> answer.status() != 201).hasSize(CALLERS - 1);
    answers.stream()
        .filter(answer -> answer.status() != 201)
        .forEach(answer -> assertProblem(answer, 409, "already-used"));
    assertThat(state()).isEqualTo("USED");
  }

  private Answer takeByOtherShop(String order) {
    var json = wanted(byId(id), order, 3_000, "");
    return world.send(Call.of("POST", PATH).shop(otherShop).json(json));
  }
}
