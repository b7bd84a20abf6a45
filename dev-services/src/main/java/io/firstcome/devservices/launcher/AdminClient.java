package io.firstcome.devservices.launcher;

import io.firstcome.devservices.launcher.terminal.LauncherException;
import io.firstcome.devservices.service.ServiceProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The calls of the launcher to the service's admin interface. */
final class AdminClient {

  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int CONFLICT = 409;

  private AdminClient() {}

  /** Defines the coupon. It is no error if a coupon with this id is already defined. */
  static void define(String serviceUrl, DefinitionBody coupon) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(serviceUrl + "/api/v1/admin/coupons"))
            .timeout(LIMIT)
            .header("X-Gateway-Secret", ServiceProcess.GATEWAY_SECRET)
            .header("X-User-Id", "launcher")
            .header("X-Scopes", "coupon:define")
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(coupon.json()))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (!isDefined(response)) {
        throw new LauncherException(
            "the service rejected the definition of coupon %s: %d %s"
                .formatted(coupon.couponId(), response.statusCode(), response.body()));
      }
    } catch (IOException e) {
      throw new LauncherException(
          "no reply to the definition of coupon %s: %s".formatted(coupon.couponId(), e));
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
