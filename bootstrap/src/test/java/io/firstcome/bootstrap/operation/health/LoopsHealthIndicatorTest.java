package io.firstcome.bootstrap.operation.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

class LoopsHealthIndicatorTest {

  @Test
  void is_down_and_names_the_loops_whose_thread_has_ended() {
    var health =
        new LoopsHealthIndicator(List.of(() -> List.of(), () -> List.of("relay", "sweep")))
            .health();

    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
    assertThat(health.getDetails()).containsEntry("dead", List.of("relay", "sweep"));
  }

  @Test
  void is_up_while_all_loops_run() {
    assertThat(new LoopsHealthIndicator(List.of(() -> List.of())).health().getStatus())
        .isEqualTo(Status.UP);
  }
}
