package io.firstcome.bootstrap.problem;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

class RequestIdsTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  private final Map<String, String> headers = new HashMap<>();
  private final HttpServletRequest request = request();
  private final ProblemDetail problem = ProblemDetail.forStatus(HttpStatus.CONFLICT);

  private HttpServletRequest request() {
    var attributes = new HashMap<Object, Object>();
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            HttpServletRequest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "getHeader" -> headers.get(String.valueOf(arguments[0]));
                  case "getAttribute" -> attributes.get(arguments[0]);
                  case "setAttribute" -> {
                    attributes.put(arguments[0], arguments[1]);
                    yield null;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void the_id_that_the_request_has_is_used() {
    headers.put("X-Request-Id", "gw-1.2_3");

    RequestIds.addTo(problem, request);

    assertThat(problem.getProperties()).containsEntry("requestId", "gw-1.2_3").hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "<script>", "\u00e9", "x\ny"})
  void an_id_that_is_not_safe_in_a_log_is_replaced(String given) {
    headers.put("X-Request-Id", given);

    assertThat(RequestIds.of(request)).matches("[0-9a-f]{16}").isEqualTo(RequestIds.of(request));
  }

  @Test
  void an_id_that_is_too_long_is_replaced() {
    headers.put("X-Request-Id", "x".repeat(65));

    assertThat(RequestIds.of(request)).hasSize(16);
  }

  @Test
  void the_trace_is_that_of_the_request() {
    headers.put("traceparent", "00-%s-00f067aa0ba902b7-01".formatted(TRACE));

    RequestIds.addTo(problem, request);

    assertThat(problem.getProperties()).containsEntry("traceId", TRACE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01"
      })
  void a_trace_that_is_not_valid_is_left_out(String traceparent) {
    headers.put("traceparent", traceparent);

    RequestIds.addTo(problem, request);

    assertThat(problem.getProperties()).containsOnlyKeys("requestId");
  }
}
