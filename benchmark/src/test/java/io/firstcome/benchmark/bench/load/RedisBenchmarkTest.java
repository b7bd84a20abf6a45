package io.firstcome.benchmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class RedisBenchmarkTest {

  @Test
  void the_rate_is_in_the_second_column() {
    assertThat(
            RedisBenchmark.parse(
                """
                "test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms"
                "EVALSHA e0e1f9fa 1 a __rand_int__","6349.21","8.359","0.400","8.119"
                """))
        .isEqualTo(6_349.21);
  }

  @Test
  void anything_else_is_refused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> RedisBenchmark.parse("Error from server: NOSCRIPT No matching script"));
  }
}
