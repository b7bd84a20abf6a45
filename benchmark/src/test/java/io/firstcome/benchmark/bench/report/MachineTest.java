package io.firstcome.benchmark.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MachineTest {

  @Test
  void a_machine_that_was_busy_is_warned_of() {
    assertThat(Samples.machine(0.9).warnings()).isEmpty();
    assertThat(Samples.machine(1.1).warnings())
        .singleElement()
        .asString()
        .contains("load average 1.10", "not reliable");
    assertThat(new Machine(2, 1, "", "", 0, 0.5, Map.of()).warnings())
        .singleElement()
        .asString()
        .contains("50 % of 2 processors");
  }

  @Test
  void versions_of_servers_are_added() {
    assertThat(Samples.machine(0).with(Map.of("PostgreSQL", "18.6")).text())
        .contains("PostgreSQL 18.6, Redis 7.0.15");
  }

  @Test
  void memory_and_work_are_read_from_the_system_s_files() {
    assertThat(MachineProbe.memoryMebibytes("MemTotal:       24683520 kB\nMemFree: 1 kB\n"))
        .isEqualTo(24_105);
    assertThat(MachineProbe.memoryMebibytes("")).isEqualTo(-1);
    assertThat(
            MachineProbe.busyShare(
                "cpu  100 0 100 1000 50 0 0 0 0 0\ncpu0 1\n",
                "cpu  160 0 120 1100 70 0 0 0 0 0\ncpu0 1\n"))
        .isEqualTo(0.4);
    assertThat(MachineProbe.busyShare("", "")).isEqualTo(-1);
  }
}
