package io.firstcome.bootstrap.rest;

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
  void nothing_happened_is_said_only_where_that_is_known() {
    for (var writing : List.of(HttpMethod.POST, HttpMethod.DELETE)) {
      assertTold("recovering", "nothing happened", database(Effect.NONE), writing);
      assertTold("recovering", "nothing happened", stock(Effect.NONE), writing);
      assertTold("outcome-unknown", "Ask again", database(Effect.UNKNOWN), writing);
      assertTold("outcome-unknown", "Ask again", stock(Effect.UNKNOWN), writing);
    }
  }

  @Test
  void a_request_that_only_reads_has_done_nothing_whatever_is_not_known() {
    assertTold("recovering", "nothing happened", database(Effect.UNKNOWN), HttpMethod.GET);
    assertTold("recovering", "nothing happened", stock(Effect.UNKNOWN), HttpMethod.HEAD);
  }

  private static ServerUnavailableException database(Effect effect) {
    return new DatabaseUnavailableException(effect, "away", new IllegalStateException());
  }

  private static ServerUnavailableException stock(Effect effect) {
    return new StockUnavailableException(effect, "away", null);
  }

  private static void assertTold(
      String name, String detail, ServerUnavailableException failure, HttpMethod method) {
    var answer = new ProblemAdvice().serverAway(failure, method);

    assertThat(answer.getStatusCode().value()).isEqualTo(503);
    assertThat(answer.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo("2");
    assertThat(answer.getBody())
        .isInstanceOfSatisfying(
            ProblemDetail.class,
            problem -> {
              assertThat(problem.getType()).hasToString("urn:firstcome:problem:" + name);
              assertThat(problem.getDetail()).contains(detail);
            });
  }
}
