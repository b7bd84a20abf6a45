package io.firstcome.benchmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class WrkOutputTest {

  @Test
  void a_run_in_which_all_was_well() {
    var output =
        WrkOutput.parse(
            """
            Running 2s test @ http://127.0.0.1:12345/x
              2 threads and 128 connections
              Thread Stats   Avg      Stdev     Max   +/- Stdev
                Latency   206.42ms  133.41ms 769.25ms   64.36%
                Req/Sec   319.38     96.50   474.00     50.00%
              1278 requests in 2.01s, 463.02KB read
            Requests/sec:    635.40
            Transfer/sec:    230.20KB
            """);

    assertThat(output).isEqualTo(new WrkOutput(1_278, 635.40, 0, 0));
    assertThat(output.successesPerSecond()).isEqualTo(635.40);
  }

  @Test
  void a_run_with_refusals_and_broken_connections() {
    var output =
        WrkOutput.parse(
            """
              4000 requests in 2.00s, 1.02MB read
              Socket errors: connect 1, read 20, write 300, timeout 4000
              Non-2xx or 3xx responses: 1000
            Requests/sec:   2000.00
            Transfer/sec:    230.20KB
            """);

    assertThat(output).isEqualTo(new WrkOutput(4_000, 2_000, 1_000, 4_321));
    assertThat(output.successesPerSecond()).isEqualTo(1_500);
  }

  @Test
  void anything_else_is_refused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> WrkOutput.parse("unable to connect to 127.0.0.1:1 Connection refused"));
  }
}
