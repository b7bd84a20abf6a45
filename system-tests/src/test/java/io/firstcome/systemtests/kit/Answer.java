package io.firstcome.systemtests.kit;

import io.firstcome.devservices.service.HttpAnswer;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An HTTP response of the service.
 *
 * @param headers by name in lower case; the values of a repeated one with commas between them
 */
public record Answer(int status, Map<String, String> headers, String body) {

  private static final String PROBLEM = "urn:firstcome:problem:";

  static Answer of(HttpAnswer answer) {
    return new Answer(answer.status(), answer.headers(), answer.body());
  }

  /**
   * The answer to the request, which is repeated while the service is overloaded: with many
   * concurrent callers it may refuse some, and a refused request has no effect.
   */
  public static Answer whenHandled(Supplier<Answer> request) {
    var answer = request.get();
    while (answer.problem().equals("overloaded")) {
      answer = request.get();
    }
    return answer;
  }

  /** The header's value, or the empty text. */
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }

  public JsonNode json() {
    return JsonMapper.shared().readTree(body);
  }

  /** The member as text, or the empty text where it is missing. */
  public String text(String member) {
    return json().path(member).asString("");
  }

  /** The name in a problem's type, or the empty text for any other body. */
  public String problem() {
    return header("content-type").startsWith("application/problem+json")
        ? text("type").replace(PROBLEM, "")
        : "";
  }
}
