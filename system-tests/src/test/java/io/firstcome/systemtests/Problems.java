package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;

/** Assertions on the common form of all refusals. */
final class Problems {

  private Problems() {}

  static Answer assertProblem(Answer answer, int status, String name) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertComplete(answer);
    assertThat(answer.text("type")).isEqualTo("urn:firstcome:problem:" + name);
    return answer;
  }

  /** Asserts a complete 4xx problem that exposes no internals. */
  static Answer assertProblem(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isBetween(400, 499);
    assertComplete(answer);
    return answer;
  }

  private static void assertComplete(Answer answer) {
    assertThat(answer.header("content-type"))
        .as(answer.body())
        .startsWith("application/problem+json");
    assertThat(answer.text("type")).startsWith("urn:firstcome:problem:");
    assertThat(answer.text("title")).isNotBlank();
    assertThat(answer.text("detail")).isNotBlank();
    assertThat(answer.text("requestId")).isNotBlank();
    assertThat(answer.json().path("status").asInt()).isEqualTo(answer.status());
    assertThat(answer.body())
        .doesNotContain(
            "Exception", "io.firstcome", "org.springframework", "tools.jackson", "\tat ");
  }
}
