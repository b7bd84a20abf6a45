package io.firstcome.benchmark.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommandStatsTest {

  private static final String INFO =
      "# Commandstats\r\ncmdstat_evalsha_ro:calls=4,usec=9\r\ncmdstat_evalsha:calls=17,usec=31\r\n";

  @Test
  void the_calls_of_a_command_are_read() {
    assertThat(CommandStats.calls(INFO, "evalsha")).isEqualTo(17);
    assertThat(CommandStats.calls(INFO, "get")).isZero();
  }
}
