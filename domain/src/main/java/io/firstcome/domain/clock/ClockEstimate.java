package io.firstcome.domain.clock;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An estimate of a server's clock: the last reading that was believed, advanced by the monotonic
 * clock of this process ({@link System#nanoTime}). The wall clock of this process is not used.
 *
 * <p>A reading counts as taken when its reply arrived, so the estimate is behind by up to one round
 * trip, and never ahead.
 *
 * <p>A reading that contradicts the estimate is doubted. The server's clock may have jumped and may
 * come back. The estimate follows such a reading when the jump has lasted for {@link #PERSISTS}, or
 * at once when another clock, the witness, agrees with it. A virtual machine that was suspended
 * needs the witness: its monotonic clock stood still, and the clock of every server seems to have
 * jumped.
 */
public final class ClockEstimate {

  /**
   * The maximum difference between two clocks that are synchronized by NTP. They normally differ by
   * milliseconds, so more than this is a fault; and it is far shorter than a validity of days.
   */
  public static final Duration MAX_DIFFERENCE = Duration.ofSeconds(5);

  /** How far a clock may step between two readings without being doubted. */
  public static final Duration MAX_STEP = Duration.ofSeconds(1);

  /** How long a jump must last before it is believed: longer than an operator needs to undo it. */
  public static final Duration PERSISTS = Duration.ofSeconds(10);

  /** A reading after a slower round trip is used only if there is no fresh one. */
  private static final Duration GOOD_ROUND_TRIP = Duration.ofMillis(20);

  private static final Duration FRESH = Duration.ofSeconds(5);

  /** The estimate before the first reading. */
  public static final ClockEstimate NONE = new ClockEstimate(null, null);

  private final @Nullable Reading believed;

  /** The first of the readings that contradict the believed one and agree with each other. */
  private final @Nullable Reading doubted;

  private ClockEstimate(@Nullable Reading believed, @Nullable Reading doubted) {
    this.believed = believed;
    this.doubted = doubted;
  }

  /**
   * The time of a server's clock in a reply.
   *
   * @param sentNanos when the call was sent, by {@link System#nanoTime}
   * @param receivedNanos when its reply arrived
   */
  public record Reading(Instant time, long sentNanos, long receivedNanos) {

    private Duration roundTrip() {
      return Duration.ofNanos(receivedNanos - sentNanos);
    }

    private Instant at(long nanos) {
      return time.plusNanos(nanos - receivedNanos);
    }

    /** Each of the two readings may be behind by its round trip. */
    private boolean contradicts(Reading later) {
      var step = Duration.between(at(later.receivedNanos), later.time);
      return step.compareTo(MAX_STEP.plus(roundTrip())) > 0
          || step.negated().compareTo(MAX_STEP.plus(later.roundTrip())) > 0;
    }

    private boolean isFreshAt(long nanos) {
      return nanos - receivedNanos < FRESH.toNanos();
    }
  }

  /**
   * The estimate after a further reading.
   *
   * @param witness the time of another clock at the reading, or null if there is none
   */
  public ClockEstimate after(Reading reading, @Nullable Instant witness) {
    if (witness != null && agree(witness, reading.time)) {
      return believing(reading);
    }
    boolean contradicted = believed == null ? witness != null : believed.contradicts(reading);
    return contradicted ? doubting(reading) : believing(reading);
  }

  /** Whether two clocks differ by at most {@link #MAX_DIFFERENCE}. */
  public static boolean agree(Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(MAX_DIFFERENCE) <= 0;
  }

  private ClockEstimate believing(Reading reading) {
    boolean betterThanLast =
        believed == null
            || believed.contradicts(reading)
            || !believed.isFreshAt(reading.receivedNanos)
            || reading.roundTrip().compareTo(GOOD_ROUND_TRIP) < 0;
    return new ClockEstimate(betterThanLast ? reading : believed, null);
  }

  private ClockEstimate doubting(Reading reading) {
    if (doubted == null || doubted.contradicts(reading)) {
      return new ClockEstimate(believed, reading);
    }
    boolean persisted = reading.receivedNanos - doubted.receivedNanos >= PERSISTS.toNanos();
    return persisted ? new ClockEstimate(reading, null) : this;
  }

  /** Whether a reading was believed. */
  public boolean isKnown() {
    return believed != null;
  }

  /** Whether a reading was believed, and no later one contradicts it. */
  public boolean isCertain() {
    return believed != null && doubted == null;
  }

  /**
   * The estimated time of the server's clock at that value of {@link System#nanoTime}.
   *
   * @throws IllegalStateException if it is not known
   */
  public Instant at(long nanos) {
    if (believed == null) {
      throw new IllegalStateException("the server's clock was never read");
    }
    return believed.at(nanos);
  }
}
