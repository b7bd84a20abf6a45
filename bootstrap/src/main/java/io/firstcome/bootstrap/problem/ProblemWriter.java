package io.firstcome.bootstrap.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a problem directly to the response: where no controller handles the request, and where
 * Spring MVC's conversion of messages would take longer than the request itself.
 */
@Component
public class ProblemWriter {

  private final JsonMapper json;

  ProblemWriter(JsonMapper json) {
    this.json = json;
  }

  /** Writes the same response as if the problem were thrown by a controller. */
  public void write(HttpServletRequest request, HttpServletResponse response, Problem problem)
      throws IOException {
    // Some refusals come before the filter that writes these.
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    problem.headers().forEach((name, values) -> response.setHeader(name, values.getFirst()));
    problem.at(request.getRequestURI());
    var body = problem.body();
    RequestIds.addTo(body, request);
    if (body.getStatus() == HttpStatus.UNAUTHORIZED.value()) {
      // Who has no credentials cannot send many requests on one connection, without waiting.
      response.setHeader(HttpHeaders.CONNECTION, "close");
    }
    byte[] bytes = json.writeValueAsBytes(body);
    response.setStatus(body.getStatus());
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
