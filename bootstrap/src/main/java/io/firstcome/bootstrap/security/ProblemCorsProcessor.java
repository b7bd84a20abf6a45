package io.firstcome.bootstrap.security;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.problem.ProblemWriter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.DefaultCorsProcessor;

/**
 * Answers requests of scripts that may not call the service with a problem, not with plain text.
 */
final class ProblemCorsProcessor extends DefaultCorsProcessor {

  private final ProblemWriter problems;

  ProblemCorsProcessor(ProblemWriter problems) {
    this.problems = problems;
  }

  @Override
  public boolean processRequest(
      @Nullable CorsConfiguration allowed, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean isAllowed;
    try {
      isAllowed = super.processRequest(allowed, request, response);
    } catch (IllegalArgumentException e) {
      // Of Origin, or a wildcard in Content-Type (as of Spring 7.0.9).
      problems.write(request, response, Problem.malformed("A header of the request is malformed."));
      return false;
    }
    if (!isAllowed) {
      problems.write(
          request,
          response,
          Problem.of(ProblemType.FORBIDDEN, "Scripts of this origin may not send this request."));
    }
    return isAllowed;
  }

  /** Leaves the answer to {@link #processRequest}. */
  @Override
  protected void rejectRequest(ServerHttpResponse response) {}
}
