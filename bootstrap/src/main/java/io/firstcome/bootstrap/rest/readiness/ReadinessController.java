package io.firstcome.bootstrap.rest.readiness;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.application.readiness.CheckReadiness.Checked;
import io.firstcome.application.readiness.CheckReadiness.Readiness;
import io.firstcome.bootstrap.load.WaitingRequests;
import io.firstcome.bootstrap.operation.InstanceWatch;
import io.firstcome.bootstrap.operation.ReadinessWatch;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.instance.SeenInstance;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoint with which operators see whether the deployment is ready for a drop. */
@RestController
@RequestMapping("/api/v1/admin/readiness")
class ReadinessController {

  /** Longer than the checks take while one server does not reply. */
  private static final Duration WAIT = Duration.ofSeconds(10);

  private final ReadinessWatch readiness;
  private final InstanceWatch instances;
  private final WaitingRequests waiting = new WaitingRequests("checks of the readiness");

  ReadinessController(ReadinessWatch readiness, InstanceWatch instances) {
    this.readiness = readiness;
    this.instances = instances;
  }

  /**
   * What all checks have found, as JSON.
   *
   * @param state the worst one of all checks: READY, DOUBTFUL or NOT_READY
   * @param instances of the last hour; absent if the database does not reply
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ReadinessJson(
      String state,
      String checkedAt,
      List<CheckJson> checks,
      @Nullable List<InstanceJson> instances) {

    static ReadinessJson of(Readiness readiness, @Nullable List<SeenInstance> instances) {
      return new ReadinessJson(
          readiness.state().name(),
          readiness.checkedAt().toString(),
          readiness.checks().stream().map(CheckJson::of).toList(),
          instances == null ? null : instances.stream().map(InstanceJson::of).toList());
    }
  }

  /** What one check has found, as JSON. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record CheckJson(String subject, String state, String finding, @Nullable String toDo) {

    static CheckJson of(Checked checked) {
      var finding = checked.finding();
      return new CheckJson(
          checked.subject().name(), finding.state().name(), finding.text(), finding.toDo());
    }
  }

  /** An instance, as JSON. */
  record InstanceJson(
      String instance,
      String version,
      String startedAt,
      boolean silent,
      long reportedMillisAgo,
      List<Integer> closedPartitions) {

    static InstanceJson of(SeenInstance seen) {
      var report = seen.report();
      return new InstanceJson(
          report.instance(),
          report.version(),
          report.startedAt().toString(),
          seen.isSilent(),
          seen.age().toMillis(),
          report.closedPartitions());
    }
  }

  @GetMapping
  ReadinessJson readiness(Caller caller, HttpServletRequest request) throws InterruptedException {
    var latest = readiness.latest(Duration.ZERO);
    if (latest.isEmpty()) {
      latest = waiting.await(request, caller, () -> readiness.latest(WAIT));
    }
    return latest
        .map(found -> ReadinessJson.of(found, instances.instances().orElse(null)))
        .orElseThrow(() -> Problem.overloaded(Duration.ofSeconds(2)));
  }
}
