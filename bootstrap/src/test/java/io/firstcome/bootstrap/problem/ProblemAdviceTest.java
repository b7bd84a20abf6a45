package io.firstcome.bootstrap.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.ProblemDetail;

class ProblemAdviceTest {

  @Test
  void a_problem_states_that_nothing_happened_only_if_that_is_known() {
    for (var writing : List.of(HttpMethod.POST, HttpMethod.DELETE)) {
      assertProblem("recovering", "nothing happened", database(Effect.NONE), writing);
      assertProblem("recovering", "nothing happened", stock(Effect.NONE), writing);
      assertProblem("outcome-unknown", "may have been executed", database(Effect.UNKNOWN), writing);
      assertProblem("outcome-unknown", "may have been executed", stock(Effect.UNKNOWN), writing);
    }
  }

  @Test
  void a_read_request_never_has_an_unknown_outcome() {
    assertProblem("recovering", "nothing happened", database(Effect.UNKNOWN), HttpMethod.GET);
    assertProblem("recovering", "nothing happened", stock(Effect.UNKNOWN), HttpMethod.HEAD);
  }

  private static ServerUnavailableException database(Effect effect) {
    return new DatabaseUnavailableException(effect, "not reachable", new IllegalStateException());
  }

  private static ServerUnavailableException stock(Effect effect) {
    return new StockUnavailableException(effect, "not reachable", null);
  }

  private static void assertProblem(
      String name, String detail, ServerUnavailableException failure, HttpMethod method) {
    var answer = new ProblemAdvice().serverUnavailable(failure, method);

    assertThat(answer.getStatusCode().value()).isEqualTo(503);
    assertThat(answer.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isIn("2", "3", "4", "5");
    assertThat(answer.getBody())
        .isInstanceOfSatisfying(
            ProblemDetail.class,
            problem -> {
              assertThat(problem.getType()).hasToString("urn:firstcome:problem:" + name);
              assertThat(problem.getDetail()).contains(detail);
            });
  }
}
