package io.firstcome.bootstrap.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.firstcome.application.webhook.WebhookLimits;
import io.firstcome.domain.port.WebhookSender.Reply;
import io.firstcome.domain.port.WebhookSender.Request;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The connection goes to an address that was checked, and the certificate is that of the name. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecureWebhookTest {

  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final WebhookProperties LOOPBACK =
      new WebhookProperties(false, List.of("127.0.0.0/8", "::1"));

  private SSLContext tls;
  private HttpsServer server;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    tls = certifiedFor("localhost", folder.resolve("keys.p12"));
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterAll
  void stop() {
    server.stop(0);
  }

  /** A context whose only key has a certificate for that name, which it also trusts. */
  private static SSLContext certifiedFor(String name, Path file) throws Exception {
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var process =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "receiver",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:" + name,
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    var keys = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    var keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keyManagers.init(keys, PASSWORD);
    var trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("receiver", keys.getCertificate("receiver"));
    var trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trustManagers.init(trusted);
    var context = SSLContext.getInstance("TLS");
    context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
    return context;
  }

  private Reply send(DefaultClientTlsStrategy strategy, String host) {
    try (var sender = new HttpWebhookSender(LOOPBACK, WebhookLimits.defaults(), strategy)) {
      var url = URI.create("https://%s:%d/".formatted(host, server.getAddress().getPort()));
      return sender.send(new Request(url, "msg_1", Instant.EPOCH, List.of("v1,one"), "[]"));
    }
  }

  @Test
  void the_certificate_is_verified_for_the_name_of_the_address() {
    assertThat(send(new DefaultClientTlsStrategy(tls), "localhost"))
        .isEqualTo(new Reply.Answered(204, null));
    assertThat(send(new DefaultClientTlsStrategy(tls), "127.0.0.1"))
        .isInstanceOfSatisfying(
            Reply.Failed.class,
            failed -> assertThat(failed.reason()).contains("No secure connection"));
  }

  @Test
  void a_certificate_that_java_does_not_trust_is_refused() {
    assertThat(send(DefaultClientTlsStrategy.createDefault(), "localhost"))
        .isInstanceOfSatisfying(
            Reply.Failed.class,
            failed -> assertThat(failed.reason()).contains("No secure connection"));
  }
}
