package io.firstcome.benchmark.bench.stack;

import io.firstcome.devservices.service.ServiceProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** HTTP calls that are not measured. */
final class HttpCalls {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** For calls that fill a table, or wait for rows. */
  private static final Duration LONG_LIMIT = Duration.ofMinutes(3);

  private static final Pattern STREAMS =
      Pattern.compile("(?m)^firstcome_room_streams(?:\\{[^}]*})? ([0-9.E]+)");

  private static final int OK = 200;
  private static final int CREATED = 201;

  private HttpCalls() {}

  /**
   * Defines a coupon that can be claimed from now on.
   *
   * @param room the definition of its waiting room; null if it has none
   */
  static void define(String serviceUrl, String couponId, int quantity, @Nullable String room) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    String definition =
        """
        {"couponId":"%s","name":"Benchmark","totalQuantity":%d,
         "discount":{"type":"AMOUNT","amountOff":{"minorUnits":500,"currency":"EUR"}},
         "opensAt":"%s","closesAt":"%s","validity":{"days":30},"returnsToStock":false%s}
        """
            .formatted(
                couponId,
                quantity,
                now.minus(1, ChronoUnit.MINUTES),
                now.plus(1, ChronoUnit.DAYS),
                room == null ? "" : ",\"waitingRoom\":" + room);
    HttpResponse<String> response =
        send(
            operator(serviceUrl + "/api/v1/admin/coupons", "coupon:define")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(definition)));
    if (response.statusCode() != CREATED) {
      throw rejected(couponId, response);
    }
  }

  /** Changes a coupon: {@code close} or {@code archive}. */
  static void operate(String serviceUrl, String couponId, String change) {
    var url = serviceUrl + "/api/v1/admin/coupons/" + couponId + "/" + change;
    HttpResponse<String> response =
        send(operator(url, "coupon:operate").POST(HttpRequest.BodyPublishers.noBody()));
    if (response.statusCode() != OK) {
      throw rejected(couponId, response);
    }
  }

  /** Resumes a waiting room that is paused. */
  static void resumeRoom(String serviceUrl, String couponId) {
    var url = serviceUrl + "/api/v1/admin/coupons/" + couponId + "/waiting-room";
    HttpResponse<String> response =
        send(
            operator(url, "coupon:operate")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"paused\":false}")));
    if (response.statusCode() != OK) {
      throw rejected(couponId, response);
    }
  }

  /** The waiting room of a coupon as everybody sees it. */
  static String room(String serviceUrl, String couponId) {
    return exchange(
        request(serviceUrl + ServiceStack.roomPath(couponId))
            .header("X-Gateway-Secret", ServiceProcess.GATEWAY_SECRET)
            .header("X-User-Id", "benchmark"));
  }

  private static HttpRequest.Builder operator(String url, String scope) {
    return request(url)
        .header("X-Gateway-Secret", ServiceProcess.GATEWAY_SECRET)
        .header("X-User-Id", "benchmark")
        .header("X-Scopes", scope);
  }

  private static IllegalStateException rejected(String couponId, HttpResponse<String> response) {
    return new IllegalStateException(
        "the service rejected a call for the coupon %s: %d %s"
            .formatted(couponId, response.statusCode(), response.body()));
  }

  /** The metric {@code firstcome.claims} for one outcome, 0 if there is none. */
  static long claims(String managementUrl, String outcome) {
    Pattern line =
        Pattern.compile(
            "(?m)^firstcome_claims_total\\{[^}]*outcome=\"%s\"[^}]*} ([0-9.E]+)"
                .formatted(outcome));
    String metrics = send(request(managementUrl + "/actuator/prometheus")).body();
    Matcher found = line.matcher(metrics);
    return found.find() ? (long) Double.parseDouble(found.group(1)) : 0;
  }

  /** The metric {@code firstcome.room.streams}. */
  static int streams(String managementUrl) {
    String metrics = send(request(managementUrl + "/actuator/prometheus")).body();
    Matcher found = STREAMS.matcher(metrics);
    return found.find() ? (int) Double.parseDouble(found.group(1)) : 0;
  }

  /** A counter without labels, by its name in the text format of Prometheus. */
  static long counter(String managementUrl, String name) {
    Pattern line = Pattern.compile("(?m)^%s(?:\\{[^}]*})? ([0-9.E]+)".formatted(name));
    Matcher found = line.matcher(send(request(managementUrl + "/actuator/prometheus")).body());
    return found.find() ? (long) Double.parseDouble(found.group(1)) : 0;
  }

  /** Switches traces on or off. */
  static void trace(String serviceUrl, String couponId, boolean on) {
    exchange(
        request(serviceUrl + ServiceStack.couponPath(couponId) + "/traces/" + (on ? "on" : "off"))
            .header("X-Gateway-Secret", ServiceProcess.GATEWAY_SECRET)
            .header("X-User-Id", "benchmark")
            .POST(HttpRequest.BodyPublishers.noBody()));
  }

  static String put(String url) {
    return exchange(request(url).timeout(LONG_LIMIT).PUT(HttpRequest.BodyPublishers.noBody()));
  }

  static String delete(String url) {
    return exchange(request(url).timeout(LONG_LIMIT).DELETE());
  }

  private static String exchange(HttpRequest.Builder request) {
    HttpResponse<String> response = send(request);
    if (response.statusCode() != OK) {
      throw new IllegalStateException("%s: %s".formatted(response, response.body()));
    }
    return response.body();
  }

  private static HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(LIMIT);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException("the service did not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while calling the service", e);
    }
  }
}
