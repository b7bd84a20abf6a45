package io.firstcome.bootstrap.load;

import io.firstcome.bootstrap.metric.Metric;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemWriter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.ServletException;
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

  private static final String CONSOLE = "/console/";

  private final ProblemWriter problems;
  private final MeterRegistry metrics;

  RefusedRequests(ProblemWriter problems, MeterRegistry metrics) {
    this.problems = problems;
    this.metrics = metrics;
  }

  /** The caller has sent too many requests. */
  void tooManyOfCaller(HttpServletRequest request, HttpServletResponse response, Quota quota)
      throws IOException {
    answer(request, response, tooMany(response, quota));
  }

  /**
   * Too many requests have come from the address. The answer is in JSON also for the console: a
   * page takes longer, and would wait for a form that is not read yet.
   */
  void tooManyOfAddress(HttpServletRequest request, HttpServletResponse response, Quota quota)
      throws IOException {
    problems.write(request, response, tooMany(response, quota));
  }

  @SuppressWarnings("ThreadPriorityCheck") // No result depends on it.
  private Problem tooMany(HttpServletResponse response, Quota quota) {
    // Nothing blocks on the way to this answer. Without this, a client that sends requests without
    // reading the answers (pipelining) would keep its carrier thread until all are refused.
    Thread.yield();
    count("rate", quota.name());
    state(response, quota);
    return Problem.tooMany(
        "At most %d requests of this kind may be sent in %d seconds; nothing happened."
            .formatted(quota.limit(), quota.window().toSeconds()),
        quota.retryIn());
  }

  /** Too many requests of the kind are being handled. */
  void overloaded(HttpServletRequest request, HttpServletResponse response, RequestKind kind)
      throws IOException {
    count("concurrency", kind.label());
    answer(request, response, Problem.overloaded(Duration.ZERO));
  }

  /** In JSON, or for a browser that shows the console as a page. */
  private void answer(HttpServletRequest request, HttpServletResponse response, Problem problem)
      throws IOException {
    if (!request.getServletPath().startsWith(CONSOLE)) {
      problems.write(request, response, problem);
      return;
    }
    request.setAttribute(Problem.class.getName(), problem);
    try {
      request.getRequestDispatcher(CONSOLE + "refused").forward(request, response);
    } catch (ServletException e) {
      throw new IOException("a page could not be shown", e);
    }
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
