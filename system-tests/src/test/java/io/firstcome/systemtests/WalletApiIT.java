package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Redemptions;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A customer lists their coupons and requests quotes for an order. */
@ExtendWith(QuietLogs.class)
class WalletApiIT {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final String QUOTES = "/api/v1/me/quotes";

  private final World world = World.get();
  private final String user = Users.one();

  private String issued(CouponRequests coupon) {
    var claim = Call.claim(world.define(coupon)).as(user).prefer("wait=10");
    var answer = world.send(claim);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.text("userCouponId");
  }

  private static CouponRequests worth(long minorUnits) {
    return aCoupon()
        .with(
            "discount",
            "{\"type\":\"AMOUNT\",\"amountOff\":{\"minorUnits\":%d,\"currency\":\"EUR\"}}"
                .formatted(minorUnits));
  }

  private void take(Call call) {
    var answer = world.send(call);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
  }

  private static String order(String order, long amount, String more) {
    return "{\"orderId\":\"%s\",\"amount\":{\"minorUnits\":%d,\"currency\":\"EUR\"}%s}"
        .formatted(order, amount, more);
  }

  private Answer list(String query) {
    var answer = world.send(Call.get("/api/v1/me/coupons" + query).as(user));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer;
  }

  private static List<String> ids(Answer list) {
    var ids = new ArrayList<String>();
    list.json().path("items").forEach(item -> ids.add(item.path("userCouponId").asString("")));
    return ids;
  }

  private Answer quote(String order, long amount) {
    var answer = world.send(Call.of("POST", QUOTES).as(user).json(order(order, amount, "")));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer;
  }

  /** Each offer as {@code <id> <discount> <reason>}. */
  private static List<String> offers(Answer quote) {
    var offers = new ArrayList<String>();
    for (var offer : quote.json().path("all")) {
      var reason = offer.path("reason").asString("");
      assertThat(offer.path("applicable").asBoolean()).isEqualTo(reason.isEmpty());
      assertThat(offer.path("discount").path("currency").asString("")).isEqualTo("EUR");
      offers.add(
          "%s %d %s"
              .formatted(
                  offer.path("userCouponId").asString(""),
                  offer.path("discount").path("minorUnits").asLong(),
                  reason)
              .strip());
    }
    return offers;
  }

  @Test
  void user_coupons_are_listed_newest_first_in_pages() {
    assertThat(list("").json().path("items")).isEmpty();
    var oldest = issued(aCoupon());
    var middle = issued(aCoupon());
    var newest = issued(aCoupon());

    assertThat(ids(list(""))).containsExactly(newest, middle, oldest);
    assertThat(list("").json().has("next")).isFalse();
    var first = list("?limit=2");
    assertThat(ids(first)).containsExactly(newest, middle);
    var second = list("?limit=2&after=" + first.text("next"));
    assertThat(ids(second)).containsExactly(oldest);
    assertThat(second.json().has("next")).isFalse();
    var alone = world.send(Call.get("/api/v1/me/coupons/" + newest).as(user));
    assertThat(list("?limit=1").json().path("items").path(0)).isEqualTo(alone.json());
  }

  @Test
  void user_coupons_are_listed_by_their_current_state() {
    var free = issued(aCoupon());
    var used = issued(aCoupon());
    var held = issued(aCoupon());
    take(Redemptions.use(used, "order-1", 3_000));
    take(
        Call.of("POST", "/api/v1/me/coupons/" + held + "/redemptions")
            .as(user)
            .json(order("order-1", 3_000, ",\"hold\":\"PT5S\"")));

    assertThat(ids(list("?state=USED"))).containsExactly(used);
    assertThat(ids(list("?state=HELD"))).containsExactly(held);
    assertThat(ids(list("?state=ISSUED"))).containsExactly(free);
    Await.until(LIMIT, "the hold has ended", () -> ids(list("?state=HELD")).isEmpty());
    assertThat(ids(list("?state=ISSUED"))).containsExactly(held, free);
    for (var empty : List.of("EXPIRED", "RETURNED", "REVOKED")) {
      assertThat(ids(list("?state=" + empty))).isEmpty();
    }
  }

  @Test
  void a_malformed_list_request_is_refused() {
    for (var wrong :
        List.of(
            "limit=0",
            "limit=101",
            "limit=x",
            "state=issued",
            "state=ACCEPTED",
            "state=",
            "state=ISSUED&state=USED",
            "after=",
            "after=x",
            "after=1777626000123456:WELCOME",
            "after=99999999999999999999:WELCOME." + "0".repeat(16))) {
      assertProblem(
          world.send(Call.get("/api/v1/me/coupons?" + wrong).as(user)), 400, "malformed-request");
    }
    assertThat(ids(list("?limit=100&after=99999999999999999:A1." + "0".repeat(16)))).isEmpty();
  }

  @Test
  void a_quote_has_the_best_user_coupon_and_the_reason_why_others_do_not_apply() {
    var two = issued(worth(200));
    var nine = issued(worth(900));
    var used = issued(worth(2_000));
    take(Redemptions.use(used, "order-1", 3_000));
    var minimum = "{\"minorUnits\":5000,\"currency\":\"EUR\"}";
    var large = issued(worth(2_500).with("minimumOrder", minimum));
    var dollars =
        issued(
            aCoupon()
                .with(
                    "discount",
                    "{\"type\":\"PERCENT\",\"basisPoints\":5000,\"currency\":\"USD\"}"));

    var quote = quote("order-2", 3_000);
    assertThat(quote.json().path("best").path("userCouponId").asString("")).isEqualTo(nine);
    assertThat(quote.json().path("best").path("discount").path("minorUnits").asLong())
        .isEqualTo(900);
    assertThat(offers(quote))
        .containsExactly(
            nine + " 900",
            two + " 200",
            dollars + " 0 WRONG_CURRENCY",
            large + " 0 BELOW_MINIMUM",
            used + " 0 NOT_USABLE");
    var larger = quote("order-2", 5_000);
    assertThat(larger.json().path("best").path("userCouponId").asString("")).isEqualTo(large);
  }

  @Test
  void a_held_user_coupon_is_applicable_only_to_its_own_order() {
    var held = issued(worth(500));
    take(Redemptions.hold(held, "order-1", 3_000));

    assertThat(offers(quote("order-1", 3_000))).containsExactly(held + " 500");
    var other = quote("order-2", 3_000);
    assertThat(offers(other)).containsExactly(held + " 0 NOT_USABLE");
    assertThat(other.json().has("best")).isFalse();
  }

  @Test
  void a_user_without_user_coupons_gets_an_empty_quote_and_an_empty_list() {
    issued(worth(500));
    var other = Users.one();

    var quote = world.send(Call.of("POST", QUOTES).as(other).json(order("o", 3_000, "")));
    assertThat(quote.body()).isEqualTo("{\"all\":[]}");
    var list = world.send(Call.get("/api/v1/me/coupons").as(other));
    assertThat(list.body()).isEqualTo("{\"items\":[]}");
  }

  @Test
  void invalid_members_of_a_quote_are_reported() {
    var wrong = world.send(Call.of("POST", QUOTES).as(user).json(order("a b", -1, "")));
    assertProblem(wrong, 422, "invalid-order");
    assertThat(wrong.json().path("errors").propertyNames())
        .containsExactlyInAnyOrder("orderId", "amount");
    assertProblem(world.send(Call.of("POST", QUOTES).as(user).json("{}")), 422, "invalid-order");
    var hold = order("o", 3_000, ",\"hold\":\"PT10M\"");
    assertProblem(
        world.send(Call.of("POST", QUOTES).as(user).json(hold)), 400, "malformed-request");
  }

  @Test
  void requests_without_a_user_are_unauthenticated() {
    var order = order("o", 3_000, "");
    assertProblem(world.send(Call.get("/api/v1/me/coupons")), 401, "unauthenticated");
    assertProblem(world.send(Call.of("POST", QUOTES).json(order)), 401, "unauthenticated");
    assertProblem(
        world.send(Call.bare("POST", QUOTES).as(user).json(order)), 401, "unauthenticated");
  }
}
