package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.CertificateAuthority;
import io.firstcome.systemtests.kit.CertificateAuthority.Certificate;
import io.firstcome.systemtests.kit.IssuerServer;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.TlsClient;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Gateways that authenticate by a client certificate, and slow clients of a service with TLS. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(QuietLogs.class)
@Timeout(180)
class GatewayCertificateIT {

  private static final String GATEWAY = "/O=Firstcome/CN=gateway";
  private static final Duration REQUEST_TIME = Duration.ofSeconds(3);

  /** Only the deadline of the service closes a connection before this time. */
  private static final Duration TOMCAT_TIME = Duration.ofSeconds(60);

  private static final Duration PAUSE = Duration.ofMillis(100);

  /** The head of a record of 512 bytes with the beginning of a ClientHello (RFC 8446, 4.1.2). */
  private static final byte[] HANDSHAKE_START = {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3};

  /** The head of a record of 16 KiB with data of the application. */
  private static final byte[] RECORD_START = {23, 3, 3, 0x40, 0};

  private final World world = World.get();
  private final String coupon = world.define(aCoupon());
  private final CertificateAuthority authority;
  private final CertificateAuthority stranger;
  private final Certificate server;
  private final IssuerServer issuer = IssuerServer.start();
  private final ServiceProcess service;
  private final TlsClient gateway;

  GatewayCertificateIT(@TempDir Path folder) {
    authority = new CertificateAuthority(folder, "authority");
    stranger = new CertificateAuthority(folder, "stranger");
    server = authority.issue("IP:127.0.0.1");
    gateway = TlsClient.with(authority, authority.issueToClient(GATEWAY));
    service = World.ready(world.start("gateway-certificates", environment("want")));
  }

  private Map<String, String> environment(String clientAuth) {
    var all = new HashMap<>(issuer.environment("coupon:redeem"));
    all.put("SPRING_SSL_BUNDLE_PEM_SERVICE_KEYSTORE_CERTIFICATE", "file:" + server.file());
    all.put("SPRING_SSL_BUNDLE_PEM_SERVICE_KEYSTORE_PRIVATEKEY", "file:" + server.key());
    all.put(
        "SPRING_SSL_BUNDLE_PEM_SERVICE_TRUSTSTORE_CERTIFICATE", "file:" + authority.certificate());
    all.put("SERVER_SSL_BUNDLE", "service");
    all.put("SERVER_SSL_CLIENTAUTH", clientAuth);
    all.put(
        "FIRSTCOME_SECURITY_GATEWAYCERTIFICATES", "CN=other,O=Firstcome; CN=Gateway, O=Firstcome");
    all.put("FIRSTCOME_LIMITS_HTTP_REQUESTTIME", REQUEST_TIME.toSeconds() + "s");
    all.put("SERVER_TOMCAT_CONNECTIONTIMEOUT", TOMCAT_TIME.toSeconds() + "s");
    return all;
  }

  @AfterAll
  void close() {
    service.close();
    issuer.close();
  }

  /** Without a secret. */
  private Call claim(String user) {
    return Call.bare("POST", "/api/v1/coupons/" + coupon + "/claims").as(user);
  }

  @Test
  void what_a_gateway_with_a_certificate_states_about_the_caller_counts() {
    var user = Users.one();
    assertThat(gateway.send(service.port(), claim(user)).status()).isEqualTo(202);
    assertThat(world.send(Call.status(coupon).as(user)).status()).isEqualTo(200);

    var coupons = Call.bare("GET", "/api/v1/admin/coupons");
    assertThat(gateway.send(service.port(), coupons.operator()).status()).isEqualTo(200);
    assertProblem(gateway.send(service.port(), coupons.as(user)), 403, "forbidden");
    var redemptions = Call.bare("GET", "/api/v1/redemptions?orderId=o");
    assertThat(gateway.send(service.port(), redemptions.shop()).status()).isEqualTo(200);
  }

  @Test
  void other_verified_certificates_do_not_authenticate() {
    for (var subject :
        new String[] {
          "/O=Firstcome/CN=gateway2",
          "/CN=gateway",
          "/CN=gateway/O=Firstcome",
          "/O=Firstcome/OU=x/CN=gateway",
          "/O=Firstcome/CN=gateway,O=Firstcome"
        }) {
      var other = TlsClient.with(authority, authority.issueToClient(subject));
      assertProblem(other.send(service.port(), claim(Users.one())), 401, "unauthenticated");
    }
    var none = TlsClient.without(authority);
    assertProblem(none.send(service.port(), claim(Users.one())), 401, "unauthenticated");
  }

  @Test
  void if_there_is_a_secret_only_the_secret_counts() {
    var wrong = claim(Users.one()).header("X-Gateway-Secret: wrong");
    assertProblem(gateway.send(service.port(), wrong), 401, "unauthenticated");

    var right = Call.claim(coupon).as(Users.one());
    assertThat(TlsClient.without(authority).send(service.port(), right).status()).isEqualTo(202);
  }

  @Test
  void a_token_states_the_caller_unless_the_connection_is_that_of_a_gateway() {
    var other = TlsClient.with(authority, authority.issueToClient("/CN=gateway"));
    for (var client : new TlsClient[] {other, TlsClient.without(authority), gateway}) {
      var ofToken = Users.one();
      var ofHeader = Users.one();
      var token = issuer.sign(issuer.claims(ofToken).build());
      var claim = claim(ofHeader).header("Authorization: Bearer " + token);

      assertThat(client.send(service.port(), claim).status()).isEqualTo(202);

      boolean isOfToken = !client.equals(gateway);
      assertThat(world.send(Call.status(coupon).as(ofToken)).status())
          .isEqualTo(isOfToken ? 200 : 404);
      assertThat(world.send(Call.status(coupon).as(ofHeader)).status())
          .isEqualTo(isOfToken ? 404 : 200);
    }
  }

  @Test
  void a_certificate_of_another_authority_is_refused() {
    var forged = TlsClient.with(authority, stranger.issueToClient(GATEWAY));
    assertThatThrownBy(() -> forged.send(service.port(), claim(Users.one())))
        .isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void a_service_can_require_certificates() {
    try (var strict = World.ready(world.start("required-certificates", environment("need")))) {
      assertThat(gateway.send(strict.port(), claim(Users.one())).status()).isEqualTo(202);
      assertThatThrownBy(() ->
              TlsClient.without(authority).send(strict.port(), Call.claim(coupon).as(Users.one())))
          .isInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void a_client_that_does_not_begin_its_handshake_is_cut_off() throws IOException {
    try (var silent = TlsClient.open(service.port())) {
      long begin = System.nanoTime();
      assertThat(silent.getInputStream().read()).isNegative();
      assertCutOff(begin);
    }
  }

  @Test
  void a_client_that_makes_its_handshake_slowly_is_cut_off() throws Exception {
    try (var slow = TlsClient.open(service.port())) {
      assertCutOff(trickle(slow.getOutputStream(), HANDSHAKE_START));
    }
  }

  @Test
  void a_client_that_sends_the_head_of_a_request_slowly_is_cut_off() throws Exception {
    try (var raw = TlsClient.open(service.port());
        var slow = gateway.handshake(raw)) {
      assertCutOff(trickle(slow.getOutputStream(), "GET / HTTP/1.1\r\nX: ".getBytes(ISO_8859_1)));
    }
  }

  /** The service cannot read any of it before the record is complete. */
  @Test
  void a_client_that_sends_a_record_slowly_is_cut_off() throws Exception {
    try (var raw = TlsClient.open(service.port());
        var _ = gateway.handshake(raw)) {
      assertCutOff(trickle(raw.getOutputStream(), RECORD_START));
    }
  }

  /** Sends a byte after the other until the connection is closed; returns when it began. */
  private static long trickle(OutputStream out, byte[] start) throws InterruptedException {
    long begin = System.nanoTime();
    try {
      out.write(start);
      while (System.nanoTime() - begin < TOMCAT_TIME.toNanos()) {
        Thread.sleep(PAUSE.toMillis());
        out.write(0x20);
        out.flush();
      }
    } catch (IOException e) {
      // Closed by the service.
    }
    return begin;
  }

  private static void assertCutOff(long begin) {
    assertThat(Duration.ofNanos(System.nanoTime() - begin))
        .isBetween(REQUEST_TIME.dividedBy(2), TOMCAT_TIME.dividedBy(2));
  }
}
