package io.firstcome.bootstrap.problem;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.springframework.http.ProblemDetail;

/**
 * By what a request is found in logs: the id that the client or a gateway has given it, or a new
 * one, and its trace. They are read only where a problem is answered.
 *
 * @see <a href="https://www.w3.org/TR/trace-context/">W3C Trace Context</a>
 */
final class RequestIds {

  static final String HEADER = "X-Request-Id";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Pattern TRACEPARENT =
      Pattern.compile("[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}.{0,64}");
  private static final String ATTRIBUTE = RequestIds.class.getName();

  private RequestIds() {}

  /** The id of the request, the same for each call with it. */
  static String of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof String known) {
      return known;
    }
    var given = request.getHeader(HEADER);
    var id =
        given != null && ID.matcher(given).matches()
            ? given
            : "%016x".formatted(ThreadLocalRandom.current().nextLong());
    request.setAttribute(ATTRIBUTE, id);
    return id;
  }

  /** Adds the id of the request, and that of its trace if it has one. */
  static void addTo(ProblemDetail problem, HttpServletRequest request) {
    problem.setProperty("requestId", of(request));
    traceOf(request).ifPresent(trace -> problem.setProperty("traceId", trace));
  }

  private static Optional<String> traceOf(HttpServletRequest request) {
    var traceparent = request.getHeader("traceparent");
    if (traceparent == null) {
      return Optional.empty();
    }
    var parts = TRACEPARENT.matcher(traceparent);
    return parts.matches() ? Optional.of(parts.group(1)) : Optional.empty();
  }
}
