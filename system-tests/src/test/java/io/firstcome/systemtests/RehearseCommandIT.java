package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.FirstcomeUp;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./firstcome rehearse} on a running {@code up}. */
@Tag("slow")
@Timeout(600)
class RehearseCommandIT {

  private static final int USERS = 20_000;
  private static final int QUANTITY = 5_000;
  private static final String SIZE =
      "--users=%d --quantity=%d --shape=RAMP --seconds=6".formatted(USERS, QUANTITY);

  /** Started on first use. */
  private static final class Own {
    static final FirstcomeUp UP = FirstcomeUp.in("rehearse");
  }

  private final FirstcomeUp up = Own.UP;

  @AfterAll
  static void end() {
    Own.UP.close();
  }

  private static JsonNode result(FirstcomeUp.Output output) {
    assertThat(output.lines()).as("lines of rehearse").isNotEmpty();
    return JsonMapper.shared().readTree(output.lines().getLast());
  }

  private FirstcomeUp.Output rehearse(String... more) {
    var words = new ArrayList<>(List.of("rehearse"));
    words.addAll(List.of(SIZE.split(" ")));
    words.addAll(List.of(more));
    return up.run(words.toArray(String[]::new));
  }

  @Test
  void its_exit_status_says_whether_it_is_a_go() {
    var output = rehearse();

    var result = result(output);
    assertThat(result.path("exact").asBoolean()).as("%s", output).isTrue();
    assertThat(result.path("accepted").asInt()).isEqualTo(QUANTITY);
    assertThat(result.path("soldOut").asInt()).isEqualTo(USERS - QUANTITY);
    assertThat(output.exitStatus()).isEqualTo(result.path("go").asBoolean() ? 0 : 1);
    assertThat(output.lines().stream().map(String::strip))
        .containsOnlyOnce(result.path("go").asBoolean() ? "GO" : "NO GO");
  }

  @Test
  void with_faults_redis_is_killed_and_the_rehearsal_is_exact() {
    long redis = up.process("redis").pid();

    var output = rehearse("--with-faults");

    assertThat(output.lines()).anyMatch(line -> line.contains("redis was killed"));
    assertThat(up.process("redis").pid()).isNotEqualTo(redis);
    var result = result(output);
    assertThat(result.path("exact").asBoolean()).as("%s", output).isTrue();
    assertThat(result.path("accepted").asInt()).isEqualTo(QUANTITY);
  }

  @Test
  void an_unknown_coupon_is_reported_with_the_words_of_the_api() {
    var output = up.run("rehearse", "--coupon", "UNKNOWN-1");

    assertThat(output.exitStatus()).isEqualTo(1);
    assertThat(output.lines()).singleElement().asString().contains("404", "unknown-coupon");
  }
}
