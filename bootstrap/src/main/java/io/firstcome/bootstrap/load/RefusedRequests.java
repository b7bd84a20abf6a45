package io.firstcome.bootstrap.load;

import io.firstcome.bootstrap.metric.Metric;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemWriter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.stereotype.Component;

/**
 * Answers requests beyond a limit, and counts them in the metric {@code
 * firstcome.requests.refused}.
 */
@Component
class RefusedRequests {

  private final ProblemWriter problems;
  private final MeterRegistry metrics;

  RefusedRequests(ProblemWriter problems, MeterRegistry metrics) {
    this.problems = problems;
    this.metrics = metrics;
  }

  /** The caller has sent too many requests. */
  @SuppressWarnings("ThreadPriorityCheck") // No result depends on it.
  void tooMany(HttpServletRequest request, HttpServletResponse response, Quota quota)
      throws IOException {
    // Nothing blocks on the way to this answer. Without this, a client that sends requests without
    // reading the answers (pipelining) would keep its carrier thread until all are refused.
    Thread.yield();
    count("rate", quota.name());
    state(response, quota);
    problems.write(
        request,
        response,
        Problem.tooMany(
            "At most %d requests of this kind may be sent in %d seconds; nothing happened."
                .formatted(quota.limit(), quota.window().toSeconds()),
            quota.retryIn()));
  }

  /** Too many requests of the kind are being handled. */
  void overloaded(HttpServletRequest request, HttpServletResponse response, RequestKind kind)
      throws IOException {
    count("concurrency", kind.label());
    problems.write(request, response, Problem.overloaded(Duration.ZERO));
  }

  /** Informs the caller about its quota. */
  static void state(HttpServletResponse response, Quota quota) {
    response.setHeader("RateLimit-Policy", quota.policyHeader());
    response.setHeader("RateLimit", quota.header());
  }

  private void count(String limit, String name) {
    Metric.REQUESTS_REFUSED.counter(metrics, limit, name).increment();
  }
}
