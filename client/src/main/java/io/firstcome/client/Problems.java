package io.firstcome.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.firstcome.client.http.ApiException;
import io.firstcome.client.model.Problem;

/** Reads the problems that refusals have as their body (RFC 9457). */
final class Problems {

  private static final String URN = "urn:firstcome:problem:";

  private final ObjectMapper json;

  Problems(ObjectMapper json) {
    this.json = json;
  }

  static String name(Problem problem) {
    var type = problem.getType();
    return type.startsWith(URN) ? type.substring(URN.length()) : type;
  }

  /**
   * The problem of an answer. A gateway may have answered in place of the service: then the problem
   * has the type {@code about:blank} and the status.
   */
  Problem of(ApiException failure) {
    var body = failure.getResponseBody();
    if (body != null) {
      try {
        var problem = json.readValue(body, Problem.class);
        if (problem != null && problem.getType() != null) {
          return problem;
        }
      } catch (JsonProcessingException e) {
        // Not from the service.
      }
    }
    return new Problem()
        .type("about:blank")
        .title("HTTP " + failure.getCode())
        .status(failure.getCode())
        .detail("not answered by Firstcome");
  }
}
