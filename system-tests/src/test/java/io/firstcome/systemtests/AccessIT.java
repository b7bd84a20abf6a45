package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExactInOrder;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Claimant;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which caller may call what; every other request is refused. */
@ExtendWith(QuietLogs.class)
class AccessIT {

  private static final int WAIT_SECONDS = 10;

  /** They look like what surrounds an id in a log entry, a key, a message or a statement. */
  private static final List<String> HOSTILE_FORMS =
      List.of(
          "auth0|?",
          "f:7c1e:?",
          "-?",
          "1:a,2:?",
          "\"?\"",
          "'?'--",
          "{?,NULL}",
          "{\"userId\":\"?\"}",
          "\\?\\",
          "$?*",
          "%s%00?",
          "?" + "~".repeat(90));

  private final World world = World.get();

  @Test
  void only_requests_of_the_gateway_are_accepted() {
    var coupon = world.define(aCoupon());
    var claim = "/api/v1/coupons/" + coupon + "/claims";
    var user = Users.one();
    var outsiders =
        List.of(
            Call.bare("POST", claim).as(user),
            Call.bare("POST", claim).as(user).header("X-Gateway-Secret: "),
            Call.bare("POST", claim).as(user).header("X-Gateway-Secret: Local"),
            Call.bare("POST", claim).as(user).header("X-Gateway-Secret: locall"),
            Call.bare("POST", claim + "?X-Gateway-Secret=local").as(user),
            Call.bare("POST", "//api/v1/coupons/" + coupon + "/claims").as(user),
            Call.bare("POST", "/x/../api/v1/coupons/" + coupon + "/claims").as(user),
            Call.bare("POST", "/%61pi/v1/coupons/" + coupon + "/claims").as(user),
            Call.bare("POST", "/api;x=y/v1/coupons/" + coupon + "/claims").as(user),
            Call.bare("GET", "/api/v1/coupons/" + coupon),
            Call.bare("GET", "/%61pi/v1/coupons/" + coupon),
            Call.bare("GET", "/api;x=y/v1/coupons/" + coupon),
            Call.bare("POST", "/%61pi/v1/admin/coupons").operator().json(aCoupon().json()),
            Call.bare("POST", "/api/v1/admin/coupons").operator().json(aCoupon().json()));
    // One assertion, so that a failure lists every request that was not refused.
    assertThat(outsiders)
        .extracting(outsider -> "%d to %s".formatted(world.send(outsider).status(), outsider))
        .allMatch(finding -> finding.startsWith("4"));
    assertProblem(world.send(outsiders.getFirst()), 401, "unauthenticated");
    assertProblem(world.send(Call.status(coupon).as(user)), 404, "no-claim");
  }

  @Test
  void a_claim_without_a_user_is_unauthenticated() {
    var coupon = world.define(aCoupon());
    assertProblem(world.send(Call.claim(coupon)), 401, "unauthenticated");
    assertProblem(world.send(Call.status(coupon)), 401, "unauthenticated");
    assertProblem(
        world.send(Call.get("/api/v1/me/coupons/" + coupon + ".X")), 401, "unauthenticated");
  }

  @Test
  void a_malformed_user_id_is_refused() {
    var coupon = world.define(aCoupon());
    for (var wrong : List.of("a b", "ü", "a".repeat(129), "a\tb", "a\u007Fb")) {
      var answer = assertProblem(world.send(Call.claim(coupon).as(wrong)));
      assertThat(answer.status()).as(wrong).isEqualTo(400);
      assertThat(answer.body()).doesNotContain(wrong);
    }
  }

  @Test
  void ids_of_any_issuer_stay_apart_and_unchanged() {
    var coupon = world.define(aCoupon());
    var own = Users.one();
    var users = HOSTILE_FORMS.stream().map(form -> form.replace("?", own)).toList();

    try (var claimant = new Claimant(world.servicePort(), world.record())) {
      assertThat(users)
          .extracting(user -> claimant.claim(coupon, user, WAIT_SECONDS).orElseThrow().status())
          .containsOnly(201);
    }

    for (int i = 0; i < users.size(); i++) {
      var status = world.send(Call.status(coupon).as(users.get(i)));
      assertThat(status.text("state")).as(status.body()).isEqualTo("ISSUED");
      assertThat(status.json().path("slot").asInt()).isEqualTo(i + 1);
    }
    assertProblem(world.send(Call.status(coupon).as(own)), 404, "no-claim");
    assertExactInOrder(world, coupon);
  }

  @Test
  void a_repeated_or_malformed_identity_is_refused() {
    var coupon = world.define(aCoupon());
    assertProblem(
        world.send(Call.claim(coupon).as("ann").header("X-User-Id: bob")),
        400,
        "malformed-request");
    var redemption = Call.get("/api/v1/redemptions?orderId=o");
    assertProblem(
        world.send(redemption.shop("berlin").header("X-Shop-Id: london")),
        400,
        "malformed-request");
    assertProblem(world.send(redemption.shop("a/b")), 400, "malformed-request");
  }

  @Test
  void a_scope_can_be_named_twice() {
    var call = Call.get("/api/v1/admin/coupons");
    assertThat(world.send(call.header("X-Scopes: coupon:read coupon:read")).status())
        .isEqualTo(200);
  }

  @Test
  void calls_of_operators_require_the_operator_scope() {
    var coupon = aCoupon();
    var path = "/api/v1/admin/coupons";
    assertProblem(
        world.send(Call.of("POST", path).as(Users.one()).json(coupon.json())), 403, "forbidden");
    assertProblem(
        world.send(Call.of("POST", path).header("X-Scopes: coupon:redeem").json(coupon.json())),
        403,
        "forbidden");
    assertProblem(
        world.send(Call.of("POST", path).header("X-Scopes: coupon:defineX").json(coupon.json())),
        403,
        "forbidden");
    assertProblem(world.send(Call.get("/api/v1/coupons/" + coupon.id())), 404, "unknown-coupon");
    world.define(coupon);
    assertProblem(world.send(Call.get(path + "/" + coupon.id() + "/proof")), 403, "forbidden");
  }

  @Test
  void a_request_without_credentials_is_refused_before_its_body_is_read() {
    var coupon = world.define(aCoupon());
    for (var call :
        List.of(
            Call.bare("POST", "/api/v1/me/quotes").content(new byte[70_000]),
            Call.bare("GET", "/api/v1/coupons/" + coupon),
            Call.bare("GET", "/api/v1/coupons/" + coupon).header("X-Gateway-Secret: wrong"))) {
      var refused = assertProblem(world.send(call), 401, "unauthenticated");
      assertThat(refused.header("connection")).isEqualTo("close");
      assertThat(refused.header("cache-control")).isEqualTo("no-store");
      assertThat(refused.header("x-content-type-options")).isEqualTo("nosniff");
    }
  }

  @Test
  void a_head_request_needs_the_scope_of_the_get_request() throws Exception {
    var coupon = world.define(aCoupon());

    assertThat(statusOfHead(coupon, "coupon:read")).isEqualTo(200);
    assertThat(statusOfHead(coupon, "coupon:operate")).isEqualTo(403);
  }

  private int statusOfHead(String coupon, String scope) throws Exception {
    var uri = URI.create(world.service().url() + "/api/v1/admin/coupons/" + coupon);
    var request =
        HttpRequest.newBuilder(uri)
            .HEAD()
            .header("X-Gateway-Secret", ServiceProcess.GATEWAY_SECRET)
            .header("X-Scopes", scope)
            .build();
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  @Test
  void a_uri_that_is_longer_than_any_of_the_service_is_refused() {
    var path = "/api/v1/coupons/" + "A".repeat(2_000);
    assertProblem(world.send(Call.get(path)), 414, "uri-too-long");
    assertProblem(
        world.send(Call.get("/api/v1/me/coupons?after=" + "A".repeat(2_000))), 414, "uri-too-long");
  }
}
