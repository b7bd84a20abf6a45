package io.firstcome.domain.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyHistogramTest {

  private static LatencyHistogram histogram(Long... counts) {
    return new LatencyHistogram(List.of(counts));
  }

  private static LatencyPercentiles percentiles(LatencyHistogram histogram) {
    return histogram.percentiles().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 1",
    "PT0.001S, 1",
    "PT0.001000001S, 2",
    "PT0.025S, 25",
    "PT0.0251S, 35",
    "PT59S, 60000",
    "PT60S, 60000",
    "PT100H, 60000"
  })
  void a_latency_is_in_the_first_bucket_whose_bound_it_does_not_exceed(
      Duration latency, long boundMillis) {
    int bucket = LatencyHistogram.bucketOf(latency);

    assertThat(LatencyHistogram.BOUNDS.get(bucket)).isEqualTo(Duration.ofMillis(boundMillis));
  }

  @Test
  void bounds_are_in_order() {
    assertThat(LatencyHistogram.BOUNDS).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void percentiles_are_the_bounds_of_their_buckets() {
    assertThat(percentiles(histogram(0L, 0L, 1L)))
        .isEqualTo(
            new LatencyPercentiles(
                Duration.ofMillis(3), Duration.ofMillis(3), Duration.ofMillis(3)));
    assertThat(percentiles(histogram(50L, 45L, 4L, 1L)))
        .isEqualTo(
            new LatencyPercentiles(
                Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(3)));
    assertThat(percentiles(histogram(49L, 45L, 4L, 0L, 2L)))
        .isEqualTo(
            new LatencyPercentiles(
                Duration.ofMillis(2), Duration.ofMillis(3), Duration.ofMillis(5)));
  }

  @Test
  void a_histogram_without_claims_has_no_percentiles() {
    assertThat(LatencyHistogram.NONE.percentiles()).isEmpty();
    assertThat(histogram(0L, 0L).percentiles()).isEmpty();
  }

  @Test
  void zeros_at_the_end_make_no_difference() {
    assertThat(histogram(1L, 0L, 2L, 0L)).isEqualTo(histogram(1L, 0L, 2L));
    assertThat(histogram(0L)).isEqualTo(LatencyHistogram.NONE);
  }

  @Test
  void histograms_are_added_and_subtracted_by_bucket() {
    var one = histogram(1L, 2L);
    var other = histogram(0L, 10L, 30L);

    assertThat(one.plus(other)).isEqualTo(histogram(1L, 12L, 30L));
    assertThat(other.plus(one)).isEqualTo(histogram(1L, 12L, 30L));
    assertThat(one.plus(LatencyHistogram.NONE)).isEqualTo(one);
    assertThat(one.plus(other).since(other)).isEqualTo(one);
    assertThat(one.since(one)).isEqualTo(LatencyHistogram.NONE);
  }

  @Test
  void counts_that_cannot_be_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> histogram(1L, -1L))
        .withMessageContaining("[1, -1]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LatencyHistogram.NONE.since(histogram(1L)));
    int tooMany = LatencyHistogram.BOUNDS.size() + 1;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LatencyHistogram(Collections.nCopies(tooMany, 0L)))
        .withMessageContaining("29");
  }
}
