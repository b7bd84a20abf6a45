package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.CertificateAuthority;
import io.firstcome.systemtests.kit.TlsServers;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The service with encrypted connections to its servers, whose certificates it verifies. */
@Tag("slow")
class TlsIT {

  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final String THIS_HOST = "IP:127.0.0.1";
  private static final String OTHER_HOST = "DNS:other.example.com";
  private static final String UNTRUSTED = "unable to find valid certification path";
  private static final String OF_ANOTHER_HOST = "No subject alternative names matching IP address";

  private static TlsServers servers;
  private static CertificateAuthority authority;
  private static CertificateAuthority stranger;

  @BeforeAll
  static void start() {
    servers = new TlsServers("tls");
    authority = new CertificateAuthority(servers.folder(), "authority");
    stranger = new CertificateAuthority(servers.folder(), "stranger");
  }

  @AfterAll
  static void stop() {
    servers.close();
  }

  @Test
  void all_connections_are_encrypted_and_only_valid_certificates_are_accepted() {
    int rabbitPort = servers.use(authority.issue(THIS_HOST), authority.certificate());
    var trusted = authority.certificate();
    try (var service = servers.start("tls", rabbitPort, trusted, trusted, Map.of())) {
      service.awaitReady(START_LIMIT);
      var coupon = aCoupon();
      assertThat(World.send(service, Call.define(coupon.json())).status()).isEqualTo(201);
      var claim = Call.claim(coupon.id()).as(Users.one()).prefer("wait=20");
      assertThat(World.send(service, claim).status()).isEqualTo(201);

      assertThat(servers.encryptedDatabaseConnections()).isPositive();
      assertThat(servers.plainDatabaseConnections()).isZero();
      assertThat(servers.plainRedisClients()).isZero();
    }

    var untrusted = stranger.certificate();
    assertDoesNotStart("untrusted-database", rabbitPort, untrusted, UNTRUSTED);
    assertReachesNothing("untrusted-servers", rabbitPort, untrusted, UNTRUSTED);

    int otherRabbitPort = servers.use(authority.issue(OTHER_HOST), authority.certificate());
    assertDoesNotStart("other-database", otherRabbitPort, trusted, "could not be verified");
    assertReachesNothing("other-servers", otherRabbitPort, trusted, OF_ANOTHER_HOST);
  }

  /** An instance that accepts no certificate of PostgreSQL. */
  private static void assertDoesNotStart(
      String name, int rabbitPort, Path databaseTrust, String reason) {
    try (var service =
        servers.start(name, rabbitPort, databaseTrust, authority.certificate(), Map.of())) {
      assertThat(service.awaitEnd(START_LIMIT)).isNotZero();
      assertThat(TlsServers.log(service)).contains(reason);
    }
  }

  /** An instance that reaches PostgreSQL, without TLS, and accepts no other certificate. */
  private static void assertReachesNothing(String name, int port, Path trust, String reason) {
    var plainDatabase = Map.of("SPRING_DATASOURCE_URL", servers.plainDatabase());
    try (var service = servers.start(name, port, trust, trust, plainDatabase)) {
      for (var failure : List.of("cannot connect to Redis", "TLS connection failed")) {
        Await.until(START_LIMIT, failure, () -> logs(service, failure, reason));
      }
      assertThat(service.takesClaims()).isFalse();
    }
  }

  private static boolean logs(ServiceProcess service, String failure, String reason) {
    return TlsServers.log(service)
        .lines()
        .anyMatch(line -> line.contains(failure) && line.contains(reason));
  }
}
