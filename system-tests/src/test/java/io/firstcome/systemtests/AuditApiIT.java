package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Redemptions;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Operators read the audit of coupons and user coupons. */
@Tag("slow")
@ExtendWith(QuietLogs.class)
class AuditApiIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String ADMIN = "/api/v1/admin";

  private final World world = World.get();

  private Answer audit(String path, String query) {
    return world.send(Call.get(ADMIN + path + "/audit" + query).operator());
  }

  private List<JsonNode> entries(String path) {
    var page = audit(path, "");
    assertThat(page.status()).as(page.body()).isEqualTo(200);
    return List.copyOf(page.json().path("items").values());
  }

  private static List<String> members(List<JsonNode> entries, String pointer) {
    return entries.stream().map(entry -> entry.at(pointer).asString("")).toList();
  }

  private String issued(String coupon, String user) {
    var claim = world.send(Call.claim(coupon).as(user).prefer("wait=10"));
    assertThat(claim.status()).as(claim.body()).isEqualTo(201);
    return claim.text("userCouponId");
  }

  private void send(int status, Call call) {
    var answer = world.send(call);
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
  }

  private Answer change(String coupon, String change) {
    return world.send(
        Call.of("POST", "%s/coupons/%s/%s".formatted(ADMIN, coupon, change)).as("olga").operator());
  }

  @Test
  void the_audit_of_a_coupon_lists_changes_of_it_and_of_its_user_coupons() {
    var coupon = world.define(aCoupon().withTotal(10));
    var user = Users.one();
    assertThat(change(coupon, "pause").status()).isEqualTo(200);
    assertThat(change(coupon, "pause").status()).isEqualTo(200);
    assertThat(change(coupon, "resume").status()).isEqualTo(200);
    var raised = Call.of("POST", ADMIN + "/coupons/" + coupon + "/quantity").as("otto").operator();
    assertThat(world.send(raised.json("{\"totalQuantity\":11}")).status()).isEqualTo(200);
    var userCoupon = issued(coupon, user);
    send(201, Redemptions.use(userCoupon, "order-1", 3_000).as("till-7"));
    send(204, Redemptions.undo(userCoupon, "order-1"));

    var entries = entries("/coupons/" + coupon);

    assertThat(members(entries, "/action"))
        .containsExactly("UNDO", "USE", "RAISE", "RESUME", "PAUSE", "DEFINE");
    assertThat(members(entries, "/actor/name"))
        .containsExactly("berlin", "berlin/till-7", "otto", "olga", "olga", Call.OPERATOR);
    assertThat(members(entries, "/actor/kind"))
        .containsExactly("SHOP", "SHOP", "OPERATOR", "OPERATOR", "OPERATOR", "OPERATOR");
    assertThat(members(entries, "/detail"))
        .containsExactly("order-1: out of stock", "order-1", "10 -> 11", "", "", "");
    assertThat(members(entries, "/couponId")).containsOnly(coupon);
    assertThat(members(entries, "/userCouponId"))
        .containsExactly(userCoupon, userCoupon, "", "", "", "");
    assertThat(Instant.parse(members(entries, "/at").getFirst())).isBefore(Instant.now());
    assertThat(entries("/user-coupons/" + userCoupon)).isEqualTo(entries.subList(0, 2));
  }

  @Test
  void entries_are_listed_in_pages() {
    var coupon = world.define(aCoupon());
    for (var change : List.of("pause", "resume", "pause", "resume")) {
      assertThat(change(coupon, change).status()).isEqualTo(200);
    }

    var read = new ArrayList<JsonNode>();
    var query = "?limit=2";
    for (int page = 1; page <= 3; page++) {
      var answer = audit("/coupons/" + coupon, query);
      read.addAll(answer.json().path("items").values());
      assertThat(answer.json().has("next")).as(answer.body()).isEqualTo(page < 3);
      query = "?limit=2&after=" + answer.text("next");
    }

    assertThat(read).isEqualTo(entries("/coupons/" + coupon));
    assertThat(members(read, "/action"))
        .containsExactly("RESUME", "PAUSE", "RESUME", "PAUSE", "DEFINE");
  }

  /** No request reads the user coupon meanwhile: the background loop records the expiry. */
  @Test
  void the_end_of_a_validity_is_recorded_without_a_request() {
    var until = Instant.now().plusSeconds(5);
    var coupon =
        world.define(
            aCoupon()
                .with("closesAt", "\"%s\"".formatted(until))
                .with("validity", "{\"until\":\"%s\"}".formatted(until)));
    var user = Users.one();
    var userCoupon = issued(coupon, user);
    assertThat(entries("/user-coupons/" + userCoupon)).isEmpty();

    Await.until(
        LIMIT, "the expiry is recorded", () -> !entries("/user-coupons/" + userCoupon).isEmpty());

    var entries = entries("/user-coupons/" + userCoupon);
    assertThat(members(entries, "/action")).containsExactly("EXPIRE");
    assertThat(members(entries, "/actor/kind")).containsExactly("SYSTEM");
    assertThat(members(entries, "/actor/name")).containsExactly("time");
    assertThat(world.send(Call.status(coupon).as(user)).text("state")).isEqualTo("EXPIRED");
  }

  @Test
  void what_operators_did_is_listed_whatever_it_concerns() {
    var coupon = world.define(aCoupon());
    var added =
        world.send(
            Call.of("POST", ADMIN + "/webhooks")
                .operator()
                .json("{\"url\":\"http://127.0.0.1:9/\"}"));
    var webhook = added.json().path("webhook");
    world.send(
        Call.of("DELETE", ADMIN + "/webhooks/" + webhook.path("webhookId").asLong())
            .operator()
            .header("If-Match: \"%d\"".formatted(webhook.path("revision").asInt())));

    var latest = audit("", "?limit=3").json();
    assertThat(members(latest.path("items").valueStream().toList(), "/action"))
        .containsExactly("DELETE_WEBHOOK", "ADD_WEBHOOK", "DEFINE");
    assertThat(members(latest.path("items").valueStream().toList(), "/actor/kind"))
        .containsOnly("OPERATOR");
    assertThat(latest.at("/items/2/couponId").asString()).isEqualTo(coupon);
    var older = audit("", "?limit=1&after=" + latest.at("/items/1/id").asLong()).json();
    assertThat(older.at("/items/0/action").asString()).isEqualTo("DEFINE");
    assertProblem(audit("", "?limit=0"), 400, "malformed-request");
    assertProblem(world.send(Call.get(ADMIN + "/audit").as("ann")), 403, "forbidden");
  }

  @Test
  void requests_for_unknown_coupons_and_malformed_requests_are_refused() {
    var coupon = world.define(aCoupon());
    assertProblem(audit("/coupons/NOWHERE", ""), 404, "unknown-coupon");
    assertProblem(audit("/coupons/lower", ""), 404, "unknown-coupon");
    for (var unknown : List.of(coupon + "." + "0".repeat(16), "nothing")) {
      assertProblem(audit("/user-coupons/" + unknown, ""), 404, "unknown-user-coupon");
    }
    for (var wrong : List.of("limit=0", "limit=101", "limit=x", "after=0", "after=x")) {
      assertProblem(audit("/coupons/" + coupon, "?" + wrong), 400, "malformed-request");
    }
    assertThat(audit("/coupons/" + coupon, "?after=1").body()).isEqualTo("{\"items\":[]}");
  }

  @Test
  void only_operators_are_permitted() {
    var coupon = world.define(aCoupon());
    var path = ADMIN + "/coupons/" + coupon + "/audit";
    assertProblem(world.send(Call.get(path).as("ann")), 403, "forbidden");
    assertProblem(world.send(Call.bare("GET", path).operator()), 401, "unauthenticated");
  }
}
