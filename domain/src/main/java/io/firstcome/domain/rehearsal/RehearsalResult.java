package io.firstcome.domain.rehearsal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a rehearsal.
 *
 * @param recordedAfter from the first claim until all accepted ones were rows; null if some were
 *     not within the time limit
 * @param faults what the proof found wrong; empty if exactly the accepted claims are recorded, once
 *     each
 * @param stockBytes memory that the server of the stock used more at the end than before; null if
 *     that is not known
 */
public record RehearsalResult(
    CrowdResult crowd,
    @Nullable Duration recordedAfter,
    List<String> faults,
    @Nullable Long stockBytes) {

  private static final double FAILED_SHARE = 0.001;
  private static final Duration SLOW = Duration.ofSeconds(1);

  /**
   * Few claims are under way at a time, so of a large crowd less than one in a hundred is slow when
   * nothing is answered for a while.
   */
  private static final Duration STALLED = Duration.ofSeconds(5);

  private static final double BUSY_PROCESSORS = 0.85;
  private static final double BUSY_STOCK = 0.8;
  private static final Duration RECORDING_BEHIND = Duration.ofSeconds(5);

  public RehearsalResult {
    faults = List.copyOf(faults);
  }

  /** What limited the answers for each second. */
  public enum Bottleneck {
    /** The service could have answered more. */
    NONE,
    /** All processors of the machine were busy. */
    PROCESSORS,
    /** The only thread of the stock's server was busy. */
    STOCK,
    /** Rows were recorded more slowly than claims were answered. */
    RECORDING
  }

  public boolean exact() {
    return faults.isEmpty();
  }

  /** What the slowest part was. */
  public Bottleneck bottleneck() {
    var phase = crowd.untilSoldOut();
    if (share(phase.stock(), phase.elapsed()) >= BUSY_STOCK) {
      return Bottleneck.STOCK;
    }
    if (processorShare() >= BUSY_PROCESSORS) {
      return Bottleneck.PROCESSORS;
    }
    return recordedAfter == null
            || recordedAfter.minus(crowd.answeredAfter()).compareTo(RECORDING_BEHIND) > 0
        ? Bottleneck.RECORDING
        : Bottleneck.NONE;
  }

  /** The share of the machine's processors that was busy until the stock was sold out, 0 to 1. */
  public double processorShare() {
    var phase = crowd.untilSoldOut();
    return share(phase.processor(), phase.elapsed().multipliedBy(crowd.processors()));
  }

  private static double share(Duration busy, Duration elapsed) {
    return elapsed.isZero() ? 0 : (double) busy.toNanos() / elapsed.toNanos();
  }

  /** Why a drop like this would not work as it should, in sentences; empty for go. */
  public List<String> obstacles() {
    var obstacles = new ArrayList<>(faults);
    if (crowd.failed() > crowd.sent() * FAILED_SHARE) {
      obstacles.add(
          "%d of %d claims were not answered, or with a failure."
              .formatted(crowd.failed(), crowd.sent()));
    }
    if (crowd.refused() > crowd.sent() * FAILED_SHARE) {
      obstacles.add(
          "%d of %d claims were refused although the coupon could be claimed."
              .formatted(crowd.refused(), crowd.sent()));
    }
    if (crowd.p99().compareTo(SLOW) > 0) {
      obstacles.add("One claim in a hundred took longer than " + seconds(crowd.p99()) + ".");
    }
    if (crowd.slowest().compareTo(STALLED) > 0) {
      obstacles.add("A claim took " + seconds(crowd.slowest()) + ".");
    }
    if (recordedAfter == null) {
      obstacles.add("Not all accepted claims were recorded in time.");
    }
    return obstacles;
  }

  private static String seconds(Duration time) {
    return "%.1f s".formatted(time.toMillis() / 1_000.0);
  }
}
