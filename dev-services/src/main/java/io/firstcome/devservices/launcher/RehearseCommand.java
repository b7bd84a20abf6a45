package io.firstcome.devservices.launcher;

import io.firstcome.devservices.launcher.terminal.LauncherException;
import io.firstcome.devservices.launcher.terminal.Terminal;
import io.firstcome.devservices.launcher.terminal.Units;
import io.firstcome.devservices.service.ServiceProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code ./firstcome rehearse}: rehearses a coupon of a running {@code up}, and prints the report.
 */
final class RehearseCommand {

  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);
  private static final Duration SILENCE = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

  /** Longer than a crowd, its rows and their removal take. */
  private static final Duration LIMIT = Duration.ofMinutes(20);

  private static final int ACCEPTED = 202;
  private static final int OK = 200;

  private final Home home;
  private final Terminal terminal;
  private final HttpClient http;

  RehearseCommand(Home home, Terminal terminal, HttpClient http) {
    this.home = home;
    this.terminal = terminal;
    this.http = http;
  }

  /**
   * What is rehearsed.
   *
   * @param shape as in the API
   * @param withFaults whether Redis is killed while claims are being sent, and started again
   */
  record Plan(
      String couponId,
      int users,
      int quantity,
      String shape,
      int seconds,
      int bursts,
      boolean withFaults) {

    String json() {
      return JsonMapper.shared()
          .writeValueAsString(
              Map.of(
                  "users", users,
                  "quantity", quantity,
                  "shape", shape,
                  "seconds", seconds,
                  "bursts", bursts,
                  "besideOpenCoupons", true));
    }
  }

  /** Runs it and returns whether it is a go. */
  boolean run(Plan plan) {
    String service = serviceUrl();
    // Before the rehearsal begins, which would otherwise go on without the fault.
    ControlFile control = plan.withFaults() ? ControlFile.read(home) : null;
    JsonNode begun =
        call(
            request(service + "/api/v1/admin/coupons/" + plan.couponId() + "/rehearsals")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(plan.json())),
            ACCEPTED);
    URI self =
        URI.create(service + "/api/v1/admin/rehearsals/" + begun.path("rehearsalId").asLong());
    terminal.line(
        "Rehearsing %s with %s users and %s slots, as %s"
            .formatted(
                plan.couponId(),
                Units.count(plan.users()),
                Units.count(plan.quantity()),
                begun.path("cloneId").asString()));
    return follow(self, plan, control);
  }

  /** Whether it ends as a go. */
  private boolean follow(URI self, Plan plan, @Nullable ControlFile control) {
    ControlFile due = control;
    long end = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < end) {
      JsonNode now = read(self);
      String state = now.path("state").asString();
      if (state.equals("REMOVED") || state.equals("STOPPED")) {
        return print(now) && (due == null || reportNoFault());
      }
      int answered = now.path("answered").asInt();
      terminal.progress(
          "%s: %s of %s claims answered"
              .formatted(
                  state.toLowerCase(Locale.ROOT),
                  Units.count(answered),
                  Units.count(plan.users())));
      if (due != null && state.equals("RUNNING") && answered > 0 && answered < plan.users()) {
        terminal.line("  fault     " + due.restart(Part.REDIS, Ending.KILL));
        due = null;
      }
      sleep();
    }
    throw new LauncherException("the rehearsal has not ended within " + LIMIT);
  }

  private boolean reportNoFault() {
    terminal.line("  NO FAULT: all claims were answered before Redis could be killed");
    return false;
  }

  /** The state now; a service whose Redis was killed may not answer at once. */
  private JsonNode read(URI self) {
    long end = System.nanoTime() + SILENCE.toNanos();
    while (true) {
      try {
        return call(request(self.toString()).GET(), OK);
      } catch (LauncherException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        sleep();
      }
    }
  }

  private boolean print(JsonNode rehearsal) {
    JsonNode result = rehearsal.path("result");
    if (result.isMissingNode()) {
      terminal.line("  the rehearsal ended early and has no result");
      return false;
    }
    terminal.line(
        "  answers   %s accepted, %s sold out, %s refused, %s failed"
            .formatted(
                Units.count(result.path("accepted").asInt()),
                Units.count(result.path("soldOut").asInt()),
                Units.count(result.path("refused").asInt()),
                Units.count(result.path("failed").asInt())));
    terminal.line(
        "  times     sold out after %s ms, all answered after %s ms, all recorded after %s ms"
            .formatted(
                result.path("soldOutMillis").asString("-"),
                result.path("answeredMillis").asString(),
                result.path("recordedMillis").asString("-")));
    terminal.line(
        "  latency   p50 %s ms, p99 %s ms; %s answers in the busiest second"
            .formatted(
                result.path("p50Millis").asString(),
                result.path("p99Millis").asString(),
                Units.count(result.path("mostAnswersPerSecond").asInt())));
    terminal.line(
        "  limit     %s, processors busy %s %%"
            .formatted(
                result.path("bottleneck").asString(), result.path("processorPercent").asString()));
    boolean go = result.path("go").asBoolean();
    terminal.line(go ? "  GO" : "  NO GO");
    result.path("obstacles").forEach(obstacle -> terminal.line("  - " + obstacle.asString()));
    terminal.line(result.toString());
    return go;
  }

  private String serviceUrl() {
    try {
      return JsonMapper.shared()
          .readTree(Files.readString(home.servicesFile()))
          .path("service")
          .path("url")
          .asString();
    } catch (NoSuchFileException e) {
      throw new LauncherException(
          "nothing to rehearse on: no \"./firstcome up\" runs (%s)".formatted(home.folder()));
    } catch (IOException e) {
      throw new LauncherException("cannot read %s: %s".formatted(home.servicesFile(), e));
    }
  }

  private static HttpRequest.Builder request(String uri) {
    return HttpRequest.newBuilder(URI.create(uri))
        .timeout(ANSWER_WITHIN)
        .header("X-Gateway-Secret", ServiceProcess.GATEWAY_SECRET)
        .header("X-User-Id", "launcher")
        .header("X-Scopes", "coupon:read coupon:operate");
  }

  private JsonNode call(HttpRequest.Builder request, int expected) {
    try {
      HttpResponse<String> response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != expected) {
        throw new LauncherException(
            "the service answered %d: %s".formatted(response.statusCode(), response.body()));
      }
      return JsonMapper.shared().readTree(response.body());
    } catch (IOException e) {
      throw new LauncherException("no reply of the service: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while rehearsing", e);
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(POLL_INTERVAL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while rehearsing", e);
    }
  }
}
