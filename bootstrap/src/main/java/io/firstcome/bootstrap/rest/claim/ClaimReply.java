package io.firstcome.bootstrap.rest.claim;

import io.firstcome.bootstrap.rest.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the reply to a claim directly to the response. Spring MVC's content negotiation and
 * message conversion take longer than the claim itself. The reply is JSON whatever the caller
 * accepts: the claim is executed by then.
 */
@Component
class ClaimReply {

  private final JsonMapper json;

  ClaimReply(JsonMapper json) {
    this.json = json;
  }

  void write(HttpServletResponse response, HttpStatus status, String location, ClaimJson claim)
      throws IOException {
    response.setHeader(HttpHeaders.LOCATION, location);
    write(response, status.value(), MediaType.APPLICATION_JSON_VALUE, claim.toBytes());
  }

  /** Writes the same response as if the problem were thrown. */
  void write(HttpServletRequest request, HttpServletResponse response, Problem problem)
      throws IOException {
    problem.headers().forEach((name, values) -> response.setHeader(name, values.getFirst()));
    var body = problem.body();
    body.setInstance(URI.create(request.getRequestURI()));
    write(
        response,
        body.getStatus(),
        MediaType.APPLICATION_PROBLEM_JSON_VALUE,
        json.writeValueAsBytes(body));
  }

  private static void write(HttpServletResponse response, int status, String type, byte[] body)
      throws IOException {
    response.setStatus(status);
    response.setContentType(type);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
