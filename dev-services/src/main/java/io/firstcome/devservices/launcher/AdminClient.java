package io.firstcome.devservices.launcher;

import io.firstcome.devservices.ServiceProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The operator's calls that the launcher makes. */
final class AdminClient {

  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int CONFLICT = 409;

  private AdminClient() {}

  /** Defines the coupon; one of this id that is there already is as good. */
  static void define(String serviceUrl, CouponDefinition coupon) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(serviceUrl + "/api/v1/admin/coupons"))
            .timeout(LIMIT)
            .header("X-Gateway-Secret", ServiceProcess.GATEWAY_SECRET)
            .header("X-User-Id", "launcher")
            .header("X-Scopes", "coupon:operate")
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(coupon.json()))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (!isDefined(response)) {
        throw new LauncherException(
            "the service did not take the coupon %s: %d %s"
                .formatted(coupon.couponId(), response.statusCode(), response.body()));
      }
    } catch (IOException e) {
      throw new LauncherException(
          "the service did not answer while %s was defined: %s".formatted(coupon.couponId(), e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while defining a coupon", e);
    }
  }

  private static boolean isDefined(HttpResponse<String> response) {
    return switch (response.statusCode()) {
      case OK, CREATED -> true;
      case CONFLICT -> response.body().contains("already-defined");
      default -> false;
    };
  }
}
