package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.IssuerServer;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Callers who are authenticated by tokens of a real issuer. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(QuietLogs.class)
class TokenIT {

  private static final Duration ROTATION_LIMIT = Duration.ofSeconds(30);

  private final World world = World.get();
  private final IssuerServer issuer = IssuerServer.start();
  private final ServiceProcess service = World.ready(world.start("tokens", environment()));
  private final String coupon = world.define(aCoupon());
  private final String user = Users.one();

  private Map<String, String> environment() {
    var all = new HashMap<>(issuer.environment("coupon:redeem"));
    all.put("FIRSTCOME_SECURITY_ORIGINS", "https://shop.example,https://app.example");
    return all;
  }

  @AfterAll
  void close() {
    service.close();
    issuer.close();
  }

  private Answer wallet(String token) {
    return World.send(
        service, Call.bare("GET", "/api/v1/me/coupons").header("Authorization: Bearer " + token));
  }

  private void assertRefused(String reason, String token) {
    var refused = assertProblem(wallet(token), 401, "unauthenticated");
    assertThat(refused.text("detail")).contains(reason).doesNotContain(token);
    assertThat(refused.header("www-authenticate")).startsWith("Bearer");
  }

  /** A browser asks without the token, before it sends the request with it. */
  @Test
  void scripts_of_pages_of_the_named_origins_only_may_call() {
    var preflight =
        Call.bare("OPTIONS", "/api/v1/me/coupons")
            .header("Access-Control-Request-Method: GET")
            .header("Access-Control-Request-Headers: authorization");
    var allowed = World.send(service, preflight.header("Origin: https://app.example"));
    assertThat(allowed.status()).isEqualTo(200);
    assertThat(allowed.header("access-control-allow-origin")).isEqualTo("https://app.example");
    assertThat(allowed.header("access-control-allow-headers")).isEqualTo("authorization");

    var other = World.send(service, preflight.header("Origin: https://evil.example"));
    assertProblem(other, 403, "forbidden");
    assertThat(other.headers()).doesNotContainKey("access-control-allow-origin");

    var refused =
        World.send(
            service, Call.bare("GET", "/api/v1/me/coupons").header("Origin: https://shop.example"));
    assertProblem(refused, 401, "unauthenticated");
    assertThat(refused.header("access-control-allow-origin")).isEqualTo("https://shop.example");
    assertThat(refused.header("access-control-expose-headers")).contains("Retry-After");
    assertThat(world.send(preflight.header("Origin: https://shop.example")).headers())
        .as("the service of the other tests names another origin")
        .doesNotContainKey("access-control-allow-origin");
  }

  /** Otherwise a shared cache gives a page of another origin an answer that it may not read. */
  @Test
  void answers_about_coupons_vary_by_origin() {
    var token = issuer.sign(issuer.claims(user).build());
    for (var path : List.of("/api/v1/coupons", "/api/v1/coupons/" + coupon)) {
      var get = Call.bare("GET", path).header("Authorization: Bearer " + token);
      assertThat(World.send(service, get).header("vary")).as(path).contains("Origin");
    }
  }

  /** It would be answered 500 and fill the log, without credentials. */
  @Test
  void malformed_headers_of_scripts_are_refused() {
    var wallet = Call.bare("GET", "/api/v1/me/coupons");
    var anyType = wallet.header("Origin: https://shop.example").header("Content-Type: */*");
    assertProblem(World.send(service, anyType), 400, "malformed-request");
    for (var origin : List.of("https://[shop", "null", "%", "https://shop.example:x")) {
      var malformed = World.send(service, wallet.header("Origin: " + origin));
      assertThat(malformed.status()).as(origin).isIn(400, 403);
      assertThat(malformed.problem()).as(origin).isIn("malformed-request", "forbidden");
    }
  }

  @Test
  void a_user_claims_with_a_token() {
    var claim =
        Call.bare("POST", "/api/v1/coupons/" + coupon + "/claims")
            .header("Authorization: Bearer " + issuer.sign(issuer.claims(user).build()));

    assertThat(World.send(service, claim).status()).isEqualTo(202);
    assertThat(World.send(service, claim).status()).isEqualTo(200);
    assertThat(world.send(Call.status(coupon).as(user)).status()).isEqualTo(200);
  }

  @Test
  void a_shop_redeems_with_a_token_of_the_token_endpoint_and_has_only_permitted_scopes() {
    var token = issuer.shopToken();
    var redemptions =
        Call.bare("GET", "/api/v1/redemptions?orderId=o").header("Authorization: Bearer " + token);
    var recovery =
        Call.bare("POST", "/api/v1/admin/stock/recovery")
            .header("Authorization: Bearer " + token)
            .json("{}");

    assertThat(World.send(service, redemptions).status()).isEqualTo(200);
    assertProblem(World.send(service, recovery), 403, "forbidden");
  }

  @Test
  void tokens_of_another_time_are_refused() {
    var now = Instant.now();
    assertRefused(
        "expired",
        issuer.sign(issuer.claims(user).expirationTime(Date.from(now.minusSeconds(60))).build()));
    assertRefused(
        "before",
        issuer.sign(issuer.claims(user).notBeforeTime(Date.from(now.plusSeconds(60))).build()));
    assertRefused("exp", issuer.sign(issuer.claims(user).expirationTime(null).build()));
  }

  @Test
  void a_token_is_accepted_no_longer_than_it_is_valid() {
    var soon = Date.from(Instant.now().minusSeconds(27));
    var token = issuer.sign(issuer.claims(user).expirationTime(soon).build());
    assertThat(wallet(token).status()).isEqualTo(200);

    Await.until(Duration.ofSeconds(10), "the end", () -> wallet(token).status() == 401);
  }

  @Test
  void tokens_for_others_or_of_others_are_refused() {
    assertRefused("aud", issuer.sign(issuer.claims(user).audience("another").build()));
    assertRefused("aud", issuer.sign(issuer.claims(user).audience((String) null).build()));
    assertRefused("issuer", issuer.sign(issuer.claims(user).issuer("http://another").build()));
    assertRefused("issuer", issuer.sign(issuer.claims(user).issuer(null).build()));
  }

  @Test
  void forged_tokens_are_refused() throws JOSEException {
    var claims = issuer.claims(user).build();
    var valid = issuer.sign(claims);
    var otherKey = new RSAKeyGenerator(2_048).keyID(issuer.key().getKeyID()).generate();

    assertRefused("", new PlainJWT(claims).serialize());
    assertRefused("", IssuerServer.sign(claims, otherKey));
    assertRefused("", withPublicKeyAsSecret(claims, issuer.key()));
    assertRefused("", valid.substring(0, valid.lastIndexOf('.') + 1));
    assertRefused("", withUser(valid, "mallory"));
    assertRefused("", "abc");
    assertRefused("", "a.b.c");
  }

  private static String withPublicKeyAsSecret(JWTClaimsSet claims, RSAKey key)
      throws JOSEException {
    var token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(key.getKeyID()).build(), claims);
    token.sign(new MACSigner(key.toRSAPublicKey().getEncoded()));
    return token.serialize();
  }

  /** The same header and signature with another payload. */
  private String withUser(String token, String other) {
    var parts = token.split("\\.", -1);
    var payload = new String(Base64.getUrlDecoder().decode(parts[1]), UTF_8);
    parts[1] =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(payload.replace(user, other).getBytes(UTF_8));
    return String.join(".", parts);
  }

  @Test
  void an_id_that_no_user_can_have_is_refused() {
    for (var id : new String[] {"a b", "", "ü", "x".repeat(200)}) {
      assertRefused("sub", issuer.sign(issuer.claims(id).build()));
    }
  }

  @Test
  void a_new_key_of_the_issuer_is_read_and_tokens_of_the_old_one_stay_valid() {
    var old = issuer.sign(issuer.claims(user).jwtID("old").build());
    issuer.rotate();
    var rotated = issuer.sign(issuer.claims(user).jwtID("new").build());

    Await.until(ROTATION_LIMIT, "the new key is known", () -> wallet(rotated).status() == 200);
    assertThat(wallet(old).status()).isEqualTo(200);
  }

  @Test
  void the_gateway_states_the_caller_whatever_token_it_passes_on() {
    for (var token : new String[] {"abc", issuer.sign(issuer.claims("mallory").build())}) {
      var answer =
          World.send(
              service, Call.status(coupon).as("no.claim").header("Authorization: Bearer " + token));

      assertProblem(answer, 404, "no-claim");
    }
  }

  @Test
  void while_the_keys_of_an_issuer_were_never_read_its_tokens_cannot_be_checked() {
    var environment = new HashMap<>(issuer.environment("coupon:redeem"));
    environment.put(
        "FIRSTCOME_SECURITY_ISSUERS_0_JWKSETURI", "http://127.0.0.1:" + Ports.free() + "/keys");
    try (var cutOff = World.ready(world.start("issuer-away", environment))) {
      var token = issuer.sign(issuer.claims(user).build());
      var answer =
          World.send(
              cutOff,
              Call.bare("GET", "/api/v1/me/coupons").header("Authorization: Bearer " + token));

      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.text("type")).isEqualTo("urn:firstcome:problem:recovering");
      assertThat(World.send(cutOff, Call.get("/api/v1/me/coupons").as(user)).status())
          .isEqualTo(200);
    }
  }
}
