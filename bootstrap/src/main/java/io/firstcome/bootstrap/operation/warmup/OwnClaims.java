package io.firstcome.bootstrap.operation.warmup;

import io.firstcome.bootstrap.connector.OwnAddress;
import io.firstcome.bootstrap.security.OwnGateway;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Claims of a coupon that does not exist, which the service sends to itself over HTTP. */
final class OwnClaims implements AutoCloseable {

  /** As many as an address may send at once by default; after so many, the code is compiled. */
  private static final int ENOUGH = 10_000;

  /** Unknown coupon; or not authenticated, if all callers have tokens of an issuer. */
  private static final Set<Integer> EXPECTED = Set.of(404, 401);

  private final OwnGateway gateway;
  private final OwnAddress address;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          // The requests contain a secret.
          .proxy(HttpClient.Builder.NO_PROXY)
          .build();
  private final AtomicInteger sent = new AtomicInteger();

  OwnClaims(OwnGateway gateway, OwnAddress address) {
    this.gateway = gateway;
    this.address = address;
  }

  /**
   * Sends one and waits for its answer, up to that time.
   *
   * @return whether more of them are useful: the answer was the expected one, and not enough were
   *     sent
   */
  boolean send(CouponId unknown, Duration within) throws InterruptedException {
    if (address.hasTls()) {
      return false;
    }
    var request =
        HttpRequest.newBuilder(address.of("/api/v1/coupons/%s/claims".formatted(unknown)))
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

  int sent() {
    return sent.get();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
