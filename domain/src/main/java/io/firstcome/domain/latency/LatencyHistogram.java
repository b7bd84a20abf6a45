package io.firstcome.domain.latency;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * How many claims were answered, by buckets of the time that it took.
 *
 * <p>The counts are stored without the bounds, so that bounds cannot be changed without a
 * migration.
 *
 * @param counts of the buckets, the shortest latencies first; zeros at the end are left out
 */
public record LatencyHistogram(List<Long> counts) {

  /** The longest latency of each bucket. The last bucket has all longer ones, too. */
  public static final List<Duration> BOUNDS =
      LongStream.of(
              1, 2, 3, 4, 5, 7, 10, 15, 20, 25, 35, 50, 75, 100, 150, 200, 300, 400, 500, 750,
              1_000, 1_500, 2_000, 3_000, 5_000, 10_000, 30_000, 60_000)
          .mapToObj(Duration::ofMillis)
          .toList();

  public static final LatencyHistogram NONE = new LatencyHistogram(List.of());

  private static final long[] BOUND_NANOS = BOUNDS.stream().mapToLong(Duration::toNanos).toArray();

  private static final int PERCENT = 100;

  public LatencyHistogram {
    if (counts.size() > BOUNDS.size()) {
      throw new IllegalArgumentException(
          "counts has more than %d buckets: %d".formatted(BOUNDS.size(), counts.size()));
    }
    if (counts.stream().anyMatch(count -> count < 0)) {
      throw new IllegalArgumentException("counts must not be negative: %s".formatted(counts));
    }
    int length = counts.size();
    while (length > 0 && counts.get(length - 1) == 0) {
      length--;
    }
    counts = List.copyOf(counts.subList(0, length));
  }

  /** The index of the bucket of a latency in {@link #BOUNDS}. */
  public static int bucketOf(Duration latency) {
    int found = Arrays.binarySearch(BOUND_NANOS, latency.toNanos());
    int bucket = found < 0 ? -found - 1 : found;
    return Math.min(bucket, BOUND_NANOS.length - 1);
  }

  public LatencyHistogram plus(LatencyHistogram others) {
    return combined(others, Long::sum);
  }

  /** What was added since an earlier histogram, each bucket of which had at most as many claims. */
  public LatencyHistogram since(LatencyHistogram earlier) {
    return combined(earlier, (all, before) -> all - before);
  }

  private LatencyHistogram combined(LatencyHistogram others, LongBinaryOperator operator) {
    int length = Math.max(counts.size(), others.counts.size());
    return new LatencyHistogram(
        IntStream.range(0, length)
            .mapToObj(bucket -> operator.applyAsLong(count(bucket), others.count(bucket)))
            .toList());
  }

  private long count(int bucket) {
    return bucket < counts.size() ? counts.get(bucket) : 0;
  }

  /** Empty if there are no claims. */
  public Optional<LatencyPercentiles> percentiles() {
    return counts.isEmpty()
        ? Optional.empty()
        : Optional.of(new LatencyPercentiles(percentile(50), percentile(95), percentile(99)));
  }

  /** The bound of the first bucket up to which there is that percentage of the claims. */
  private Duration percentile(int percentage) {
    long claims = counts.stream().mapToLong(count -> count).sum();
    long left = Math.ceilDiv(claims * percentage, PERCENT);
    int bucket = 0;
    while (left > counts.get(bucket)) {
      left -= counts.get(bucket);
      bucket++;
    }
    return BOUNDS.get(bucket);
  }
}
