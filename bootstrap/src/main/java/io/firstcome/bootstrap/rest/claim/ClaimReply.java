package io.firstcome.bootstrap.rest.claim;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemWriter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/**
 * Writes the reply to a claim directly to the response. Spring MVC's content negotiation and
 * message conversion take longer than the claim itself. The reply is JSON whatever the caller
 * accepts: the claim is executed by then.
 */
@Component
class ClaimReply {

  private final ProblemWriter problems;

  ClaimReply(ProblemWriter problems) {
    this.problems = problems;
  }

  void write(HttpServletResponse response, HttpStatus status, String location, ClaimJson claim)
      throws IOException {
    byte[] body = claim.toBytes();
    response.setHeader(HttpHeaders.LOCATION, location);
    response.setStatus(status.value());
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  void write(HttpServletRequest request, HttpServletResponse response, Problem problem)
      throws IOException {
    problems.write(request, response, problem);
  }
}
