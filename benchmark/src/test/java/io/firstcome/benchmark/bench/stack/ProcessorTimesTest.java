package io.firstcome.benchmark.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessorTimesTest {

  private static final Duration WORK = Duration.ofMillis(500);

  private Process child;

  @BeforeEach
  void startOneThatWorks() throws IOException, InterruptedException {
    child = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
    while (cpuTime(child).compareTo(WORK) < 0) {
      Thread.sleep(10);
    }
  }

  @AfterEach
  void end() {
    child.destroyForcibly();
  }

  @Test
  void a_program_has_the_time_of_what_it_has_started() {
    long own = ProcessHandle.current().pid();

    var apart = ProcessorTimes.of(Map.of("own", own, "child", child.pid())).byProgram();
    var together = ProcessorTimes.of(Map.of("own", own)).byProgram();

    assertThat(apart.get("child")).isGreaterThanOrEqualTo(WORK);
    assertThat(together.get("own"))
        .isGreaterThanOrEqualTo(Objects.requireNonNull(apart.get("own")).plus(WORK));
  }

  private static Duration cpuTime(Process process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }
}
