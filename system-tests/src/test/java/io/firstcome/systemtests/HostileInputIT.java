package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Malformed and malicious requests: each is refused with a 4xx status and changes nothing. */
@ExtendWith(QuietLogs.class)
class HostileInputIT {

  private static final String ADMIN = "/api/v1/admin/coupons";

  /** Used in place of a coupon id. */
  private static final List<String> MALICIOUS_TEXTS =
      List.of(
          "..%2f..%2fadmin",
          "%00",
          "A%0d%0aX",
          "A'%20OR%201=1--",
          "A%7D%3Aledger",
          "%F0%28%8C%28",
          "%zz",
          ";a=b",
          "A".repeat(5_000));

  private final World world = World.get();

  @Test
  void an_unknown_member_is_refused_and_reported() {
    assertThat(refused(aCoupon().with("stock", "5")).body()).contains("stock");
    assertThat(refused(aCoupon().with("validity", "{\"days\":1,\"weeks\":2}")).body())
        .contains("weeks");
    refused(aCoupon().with("userId", "\"somebody\""));
  }

  @Test
  void a_member_of_another_type_is_refused() {
    refused(aCoupon().with("totalQuantity", "\"100\""));
    refused(aCoupon().with("totalQuantity", "100.0"));
    refused(aCoupon().with("totalQuantity", "true"));
    refused(aCoupon().with("totalQuantity", "[100]"));
    refused(aCoupon().with("totalQuantity", "null"));
    refused(aCoupon().with("name", "{}"));
    refused(aCoupon().with("discount", "\"AMOUNT\""));
    refused(aCoupon().with("discount", "[]"));
    refused(aCoupon().with("returnsToStock", "\"true\""));
    refused(aCoupon().with("returnsToStock", "1"));
    refused(aCoupon().with("opensAt", "1700000000"));
    refused(aCoupon().with("validity", "{\"days\":\"30\"}"));
  }

  @Test
  void a_number_or_boolean_in_place_of_a_text_is_refused() {
    refused(aCoupon().with("name", "5"));
    refused(aCoupon().with("name", "true"));
    refused(aCoupon().with("couponId", "20250101"));
  }

  @Test
  void a_number_out_of_range_is_refused() {
    refused(aCoupon().with("totalQuantity", "2147483648"));
    refused(aCoupon().with("totalQuantity", "1" + "0".repeat(400)));
    refusedText(json().replace("\"totalQuantity\":100", "\"totalQuantity\":1e999999999"));
    refusedText(json().replace("\"minorUnits\":500", "\"minorUnits\":9223372036854775808"));
    refusedText(json().replace("\"days\":30", "\"days\":" + "9".repeat(2_000)));
  }

  @Test
  void a_duplicate_member_is_refused() {
    refusedText(json().replace("{\"couponId\"", "{\"name\":\"first\",\"couponId\""));
    refusedText(json().replace("\"days\":30", "\"days\":30,\"days\":31"));
  }

  @Test
  void a_body_that_is_not_json_is_refused() {
    for (var text :
        List.of("", " ", "nonsense", "null", "5", "[]", "\"text\"", "{", "{]", "{\"couponId\"")) {
      refusedText(text);
    }
    refusedText(json() + json());
    refusedText(json() + "x");
    refusedText(json().replace("\"name\"", "name"));
    refusedText("{\"couponId\":\"\\uD800\"}");
  }

  @Test
  void deeply_nested_json_is_refused() {
    refusedText("[".repeat(30_000));
    refusedText("{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000));
    refused(aCoupon().with("discount", "[".repeat(400) + "]".repeat(400)));
  }

  @Test
  void bytes_that_are_not_utf_8_are_refused() {
    refusedBytes(json().replace("Ten", "T\u00e9n").getBytes(ISO_8859_1));
    refusedBytes(json().replace("Ten", "T\u00c0\u0080n").getBytes(ISO_8859_1));
    refusedBytes(new byte[] {(byte) 0xff, (byte) 0xfe, 0, 0});
    refused(aCoupon().with("name", "\"a\\u0000b\""));
  }

  @Test
  void an_unpaired_surrogate_is_refused() {
    refusedText(json().replace("Ten percent", "x\\ud83d"));
  }

  @Test
  void an_oversized_body_is_refused() {
    refused(aCoupon().with("name", "\"" + "n".repeat(201) + "\""));
    refused(aCoupon().with("name", "\"" + "n".repeat(60_000) + "\""));
    refusedText("{\"name\":\"" + "n".repeat(300_000) + "\"}");
    assertRefused(
        world.send(
            Call.of("POST", ADMIN)
                .operator()
                .json(new byte[300_000])
                .header("X-Note: " + "x".repeat(5_000))));
  }

  @Test
  void a_claim_with_a_body_is_refused() {
    var coupon = world.define(aCoupon());
    var user = Users.one();
    var claim = Call.claim(coupon).as(user);
    assertProblem(world.send(claim.json("{\"userId\":\"another\"}")), 400, "malformed-request");
    assertProblem(world.send(claim.content("x".getBytes(UTF_8))), 400, "malformed-request");
    assertProblem(
        world.send(
            claim
                .header("Transfer-Encoding: chunked")
                .content("1\r\nx\r\n0\r\n\r\n".getBytes(UTF_8))),
        400,
        "malformed-request");
    assertProblem(world.send(Call.status(coupon).as(user)), 404, "no-claim");
    var empty = claim.header("Transfer-Encoding: chunked").content("0\r\n\r\n".getBytes(UTF_8));
    assertThat(world.send(empty).status()).isEqualTo(202);
  }

  @Test
  void a_wrong_method_path_or_media_type_is_refused() {
    var coupon = world.define(aCoupon());
    var claims = "/api/v1/coupons/" + coupon + "/claims";
    var method = assertProblem(world.send(Call.get(claims).as(Users.one())));
    assertThat(method.status()).isEqualTo(405);
    assertThat(method.header("allow")).contains("POST");
    assertThat(assertProblem(world.send(Call.of("DELETE", ADMIN).operator())).status())
        .isEqualTo(405);
    assertThat(assertProblem(world.send(Call.get("/api/v1/nothing"))).status()).isEqualTo(404);
    assertThat(assertProblem(world.send(Call.get("/api/v2/coupons/" + coupon))).status())
        .isEqualTo(404);
    assertThat(assertProblem(world.send(Call.get("/nothing"))).status()).isEqualTo(404);
    assertThat(assertProblem(world.send(Call.bare("GET", "/nothing"))).status()).isEqualTo(401);
    var xml =
        Call.of("POST", ADMIN)
            .operator()
            .header("Content-Type: application/xml")
            .content("<coupon/>".getBytes(UTF_8));
    assertThat(assertProblem(world.send(xml)).status()).isEqualTo(415);
    for (var noType : List.of("*/*", "application/*", "json", ";")) {
      var call = Call.of("POST", ADMIN).operator().header("Content-Type: " + noType);
      assertThat(assertProblem(world.send(call)).status()).as(noType).isEqualTo(415);
      assertThat(assertProblem(world.send(call.content(json().getBytes(UTF_8)))).status())
          .as(noType)
          .isEqualTo(415);
    }
    assertProblem(world.send(Call.of("BREW", claims).as(Users.one())));
  }

  /** Otherwise it would be refused after it was executed. */
  @Test
  void a_change_is_answered_with_json_for_any_accept_header() {
    var coupon = world.define(aCoupon());
    var pause = Call.of("POST", ADMIN + "/" + coupon + "/pause").operator();
    for (var accepted : List.of("image/png", "application/xml", "garbage", ";")) {
      var paused = world.send(pause.header("Accept: " + accepted));
      assertThat(paused.status()).as(accepted).isEqualTo(200);
      assertThat(paused.text("status")).isEqualTo("PAUSED");
    }
  }

  @Test
  void a_claim_is_answered_with_json_for_any_accept_header() {
    var coupon = world.define(aCoupon().withTotal(1));
    var first = world.send(Call.claim(coupon).as(Users.one()).header("Accept: image/png"));
    assertThat(first.status()).isEqualTo(202);
    assertThat(first.text("outcome")).isEqualTo("ACCEPTED");
    var second = Call.claim(coupon).as(Users.one()).header("Accept: image/png");
    assertProblem(world.send(second), 409, "sold-out");
  }

  @Test
  void a_malicious_path_is_refused() {
    for (var id : MALICIOUS_TEXTS) {
      var status = world.send(Call.claim(id).as(Users.one())).status();
      assertThat(status).as(id).isBetween(400, 499);
    }
  }

  /** Also for requests that the servlet container itself refuses. */
  @Test
  void a_malicious_path_is_refused_with_a_problem() {
    assertThat(MALICIOUS_TEXTS)
        .filteredOn(
            id -> world.send(Call.get("/api/v1/coupons/" + id).as(Users.one())).problem().isEmpty())
        .as("ids answered with something else than a problem")
        .isEmpty();
  }

  @Test
  void a_malicious_query_is_refused_with_a_problem() {
    for (var text : MALICIOUS_TEXTS) {
      for (var parameter : List.of("after=", "state=", "limit=")) {
        var list = Call.get("/api/v1/me/coupons?" + parameter + text).as(Users.one());
        assertRefused(world.send(list));
      }
    }
  }

  @Test
  void a_malicious_redemption_id_is_refused_with_a_problem() {
    for (var id : MALICIOUS_TEXTS) {
      var path = "/api/v1/redemptions/" + id;
      var shop = Users.one();
      assertProblem(world.send(Call.of("DELETE", path).as(shop).shop()));
      assertProblem(world.send(Call.of("POST", path + "/confirmation").as(shop).shop()));
    }
  }

  @Test
  void malformed_bodies_of_shops_and_customers_are_refused() {
    for (var body :
        List.of("", "null", "[]", "{\"code\":5}", "{\"orderId\":true}", "{\"amount\":\"5\"}")) {
      assertRefused(
          world.send(Call.of("POST", "/api/v1/redemptions").as(Users.one()).shop().json(body)));
    }
    for (var body :
        List.of("", "null", "[]", "{\"hold\":\"PT1S\"}", "{\"amount\":{\"minorUnits\":1.5}}")) {
      assertRefused(world.send(Call.of("POST", "/api/v1/me/quotes").as(Users.one()).json(body)));
    }
    var longCode =
        "{\"code\":\"%s\",\"orderId\":\"o\",\"amount\":{\"minorUnits\":1,\"currency\":\"EUR\"}}"
            .formatted("0".repeat(1_000));
    assertProblem(
        world.send(Call.of("POST", "/api/v1/redemptions").as(Users.one()).shop().json(longCode)),
        404,
        "unknown-code");
  }

  @Test
  void oversized_request_headers_are_refused() {
    var answer = world.send(Call.get("/api/v1/coupons/A1").header("X-Long: " + "x".repeat(20_000)));
    assertThat(answer.status()).isBetween(400, 499);
    assertThat(answer.body()).doesNotContain("Exception", "\tat ");
  }

  private static String json() {
    return aCoupon().json();
  }

  /** Asserts that the definition is refused and that the coupon does not exist. */
  private Answer refused(CouponRequests wrong) {
    var answer = refusedText(wrong.json());
    assertProblem(world.send(Call.get("/api/v1/coupons/" + wrong.id())), 404, "unknown-coupon");
    return answer;
  }

  private Answer refusedText(String body) {
    return assertRefused(world.send(Call.define(body)));
  }

  private void refusedBytes(byte[] body) {
    assertRefused(world.send(Call.of("POST", ADMIN).operator().json(body)));
  }

  private static Answer assertRefused(Answer answer) {
    assertProblem(answer);
    assertThat(answer.status()).isIn(400, 413, 414, 422);
    return answer;
  }
}
