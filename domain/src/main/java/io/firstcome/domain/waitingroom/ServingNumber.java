package io.firstcome.domain.waitingroom;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The place up to which a waiting room has served, and how far it is on the way to the next one.
 *
 * <p>It is advanced by those who read it, in one atomic step of the stock. So instances agree
 * without a leader, and nothing is stored for those who are served. It never decreases. The time
 * that counts between two readings is at most {@link #MAX_STEP}: a jump of the clock, and a room
 * that no instance has read for hours, do not admit a crowd.
 *
 * @param served places 1 to this one are served
 * @param thousandths how much of the next place is gained already, 0 to 999
 * @param since time of the stock's clock at the latest reading, in whole milliseconds
 * @param counted the time that has counted so far
 */
public record ServingNumber(int served, int thousandths, Instant since, Duration counted) {

  /** The longest time that counts between two readings. */
  public static final Duration MAX_STEP = Duration.ofSeconds(5);

  private static final int WHOLE = 1_000;

  public ServingNumber {
    if (served < 0) {
      throw new IllegalArgumentException("served must not be negative: " + served);
    }
    if (thousandths < 0 || thousandths >= WHOLE) {
      throw new IllegalArgumentException("thousandths must be 0 to 999: " + thousandths);
    }
    if (!since.equals(since.truncatedTo(ChronoUnit.MILLIS))) {
      // The rest would be lost with each reading.
      throw new IllegalArgumentException("since must be in whole milliseconds: " + since);
    }
    if (counted.isNegative()) {
      throw new IllegalArgumentException("counted must not be negative: " + counted);
    }
  }

  /** A room that serves from that time on. */
  public static ServingNumber startingAt(Instant time) {
    return new ServingNumber(0, 0, time, Duration.ZERO);
  }

  /**
   * The number at that time. At the limit nothing is gained in advance: who joins an idle room
   * waits as long as the rate says.
   *
   * @param now by the stock's clock; if it is before {@link #since}, no time counts
   * @param perSecond places that were served in a second since then, 0 in a pause. Before it
   *     changes, the number is read with the former value
   * @param limit the last place that can be served now; a number above it stays
   */
  public ServingNumber at(Instant now, int perSecond, int limit) {
    if (perSecond < 0) {
      throw new IllegalArgumentException("perSecond must not be negative: " + perSecond);
    }
    long millis = Math.clamp(Duration.between(since, now).toMillis(), 0, MAX_STEP.toMillis());
    long gained = thousandths + millis * perSecond;
    long reached = served + gained / WHOLE;
    boolean limited = reached >= limit;
    return new ServingNumber(
        limited ? Math.max(served, limit) : (int) reached,
        limited ? 0 : (int) (gained % WHOLE),
        now,
        counted.plusMillis(millis));
  }

  /**
   * The same number at that time, before which nobody could be served or use an admission: nothing
   * is gained, and no time counts.
   */
  public ServingNumber standingStill(Instant now) {
    return new ServingNumber(served, thousandths, now, counted);
  }
}
