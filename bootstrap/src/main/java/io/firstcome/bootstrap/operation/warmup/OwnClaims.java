package io.firstcome.bootstrap.operation.warmup;

import io.firstcome.bootstrap.security.OwnGateway;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.core.env.Environment;

/** Claims of a coupon that does not exist, which the service sends to itself over HTTP. */
final class OwnClaims implements AutoCloseable {

  /** As many as an address may send at once by default; after so many, the code is compiled. */
  private static final int ENOUGH = 10_000;

  /** Unknown coupon; or not authenticated, if all callers have tokens of an issuer. */
  private static final Set<Integer> EXPECTED = Set.of(404, 401);

  private final OwnGateway gateway;
  private final ServerProperties server;
  private final Environment environment;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          // The requests contain a secret.
          .proxy(HttpClient.Builder.NO_PROXY)
          .build();
  private final AtomicInteger sent = new AtomicInteger();

  OwnClaims(OwnGateway gateway, ServerProperties server, Environment environment) {
    this.gateway = gateway;
    this.server = server;
    this.environment = environment;
  }

  /**
   * Sends one and waits for its answer, up to that time.
   *
   * @return whether more of them are useful: the answer was the expected one, and not enough were
   *     sent
   */
  boolean send(CouponId unknown, Duration within) throws InterruptedException {
    if (server.getSsl() != null && server.getSsl().isEnabled()) {
      // The service may not trust its own certificate.
      return false;
    }
    var request =
        HttpRequest.newBuilder(uri(unknown))
            .timeout(within)
            .POST(HttpRequest.BodyPublishers.noBody());
    gateway.headers(new UserId("warm-up-" + sent.incrementAndGet())).forEach(request::header);
    try {
      var answer = http.send(request.build(), HttpResponse.BodyHandlers.discarding());
      return EXPECTED.contains(answer.statusCode()) && sent.get() < ENOUGH;
    } catch (IOException e) {
      return false;
    }
  }

  private URI uri(CouponId coupon) {
    var address = server.getAddress();
    var host =
        address == null || address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
    int port = environment.getRequiredProperty("local.server.port", Integer.class);
    try {
      var path = "/api/v1/coupons/%s/claims".formatted(coupon);
      return new URI("http", null, host.getHostAddress(), port, path, null, null);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("not the address of the service", e);
    }
  }

  int sent() {
    return sent.get();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
