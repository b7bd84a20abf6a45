package io.firstcome.bootstrap.console;

import io.firstcome.application.coupon.ListCoupons;
import io.firstcome.application.readiness.CheckReadiness.Checked;
import io.firstcome.application.readiness.CheckReadiness.Readiness;
import io.firstcome.application.readiness.Finding;
import io.firstcome.application.readiness.ReadinessCheck.Subject;
import io.firstcome.bootstrap.load.WaitingRequests;
import io.firstcome.bootstrap.operation.InstanceWatch;
import io.firstcome.bootstrap.operation.ReadinessWatch;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.CouponSection;
import io.firstcome.domain.port.ServerUnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The page on which an operator sees whether the deployment is ready for a drop. */
@Controller
class ReadyPage {

  private static final Duration WAIT = Duration.ofSeconds(2);
  private static final int COUPONS = 10;

  private final ReadinessWatch readiness;
  private final InstanceWatch instances;
  private final ListCoupons listCoupons;
  private final HealthEndpoint health;
  private final WaitingRequests waiting = new WaitingRequests("checks of the readiness");

  ReadyPage(
      ReadinessWatch readiness,
      InstanceWatch instances,
      ListCoupons listCoupons,
      HealthEndpoint health) {
    this.readiness = readiness;
    this.instances = instances;
    this.listCoupons = listCoupons;
    this.health = health;
  }

  /**
   * A row of the table of checks.
   *
   * @param mark what the state is called, also without colours
   * @param document of the manual, with what to do in more detail
   */
  record Row(
      String name,
      String mark,
      String style,
      String finding,
      @Nullable String toDo,
      @Nullable String document) {

    static Row of(Checked checked) {
      var finding = checked.finding();
      return new Row(
          name(checked.subject()),
          label(finding.state()),
          colour(finding.state()),
          finding.text(),
          finding.toDo(),
          finding.toDo() == null ? null : document(checked.subject()));
    }

    private static @Nullable String document(Subject subject) {
      return switch (subject) {
        case SERVER_SETTINGS -> "runbook.md#firstcomeweakness";
        case CLOCKS -> "runbook.md#firstcomeclockdiffers";
        case INSTANCES -> "operations.md#an-instance-that-is-frozen-or-cut-off";
        case PARTITIONS -> "runbook.md#firstcomepartitionclosed";
        case HANDOFF_LOG, BROKER -> "runbook.md#firstcomehandoffdelayed";
        case LATE_CLAIMS -> "runbook.md#firstcomelateclaimrejected";
        case DEAD_LETTERS -> "runbook.md#firstcomedeadletters";
        case EVENTS -> "runbook.md#firstcomeeventsdelayed";
        case MEMORY -> "server-settings.md";
        case NEXT_COUPONS -> null;
        case REHEARSAL -> "console.md#rehearsals";
      };
    }

    private static String name(Subject subject) {
      return switch (subject) {
        case SERVER_SETTINGS -> "Settings of servers";
        case CLOCKS -> "Clocks";
        case INSTANCES -> "Instances";
        case PARTITIONS -> "Partitions of the stock";
        case HANDOFF_LOG -> "Hand-off log";
        case BROKER -> "Broker and recorders";
        case LATE_CLAIMS -> "Late claims";
        case DEAD_LETTERS -> "Dead letters";
        case EVENTS -> "Events";
        case MEMORY -> "Memory of Redis";
        case NEXT_COUPONS -> "Coupons that open next";
        case REHEARSAL -> "Rehearsals";
      };
    }
  }

  /**
   * A probe of this instance.
   *
   * @param path below {@code /actuator/health}
   * @param isUp whether it answers 200
   */
  record Probe(String path, String use, boolean isUp) {}

  private List<Probe> probes() {
    return List.of(
        probe("liveness", "The process and all its loops run. Else it is restarted."),
        probe("readiness", "It can do useful work. Else it gets no requests."),
        probe("claims", "Claims of all partitions are accepted. For alerts."),
        probe("wallets", "User coupons can be read and used. For alerts."));
  }

  private Probe probe(String path, String use) {
    var found = health.healthForPath(path);
    return new Probe(path, use, found != null && found.getStatus().equals(Status.UP));
  }

  private static String label(Finding.State state) {
    return switch (state) {
      case READY -> "ready";
      case DOUBTFUL -> "check";
      case NOT_READY -> "not ready";
    };
  }

  private static String colour(Finding.State state) {
    return switch (state) {
      case READY -> "good";
      case DOUBTFUL -> "warn";
      case NOT_READY -> "bad";
    };
  }

  private static String verdict(Finding.State state) {
    return switch (state) {
      case READY -> "Go: everything that the service can see is ready.";
      case DOUBTFUL -> "Go with doubts: a drop would work, but look at what is marked.";
      case NOT_READY -> "No go: a drop would not work as it should.";
    };
  }

  /** The page; only what changes, if a script asks for it. */
  @GetMapping("/console/ready")
  String ready(
      @RequestParam(required = false) @Nullable String part,
      Caller caller,
      HttpServletRequest request,
      Model model)
      throws InterruptedException {
    var latest = readiness.latest(Duration.ZERO);
    if (latest.isEmpty() && part == null) {
      latest = waiting.await(request, caller, () -> readiness.latest(WAIT));
    }
    model.addAttribute("verdict", latest.map(found -> verdict(found.state())).orElse(null));
    model.addAttribute("style", latest.map(found -> colour(found.state())).orElse(null));
    model.addAttribute(
        "checks", latest.map(Readiness::checks).orElse(List.of()).stream().map(Row::of).toList());
    model.addAttribute("checkedAt", latest.map(found -> found.checkedAt().toString()).orElse(null));
    model.addAttribute("probes", probes());
    model.addAttribute("instances", instances.instances().orElse(null));
    model.addAttribute("coupons", next());
    return part == null ? "console/ready" : "console/ready :: part";
  }

  /** The coupons that open next, or null if the database is not reachable. */
  private @Nullable List<CouponJson.View> next() {
    try {
      return listCoupons.section(CouponSection.SCHEDULED, "", 0, COUPONS).items().stream()
          .map(CouponJson::view)
          .toList();
    } catch (ServerUnavailableException e) {
      return null;
    }
  }
}
