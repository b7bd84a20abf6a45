package io.firstcome.application.simulation;

import io.firstcome.domain.clock.ClockEstimate;
import io.firstcome.domain.port.DatabaseClock;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of one instance: that of its machine, and its estimates of the clocks of the database
 * and of the stock, which are computed as in the adapters.
 */
final class SimulatedClocks implements DatabaseClock {

  private static final Duration READING_INTERVAL = Duration.ofMillis(500);

  private final InstantSource time;
  private final Duration skew;
  private final InstantSource stockClock;
  private final InstantSource databaseClock;
  private final BooleanSupplier databaseUnreachable;
  private final Instant start;
  private Duration stoodStill = Duration.ZERO;
  private Instant lastReading = Instant.MIN;
  private ClockEstimate ofDatabase = ClockEstimate.NONE;
  private ClockEstimate ofStock = ClockEstimate.NONE;

  /**
   * @param time the right time
   * @param skew how far the clock of the instance's machine is ahead
   */
  SimulatedClocks(
      InstantSource time,
      Duration skew,
      InstantSource stockClock,
      InstantSource databaseClock,
      BooleanSupplier databaseUnreachable) {
    this.time = time;
    this.skew = skew;
    this.stockClock = stockClock;
    this.databaseClock = databaseClock;
    this.databaseUnreachable = databaseUnreachable;
    start = time.instant();
    look();
  }

  /** The period, by the stock's clock, in which a claim call may take effect. */
  record Span(Instant notBefore, Instant notAfter) {

    boolean contains(Instant when) {
      return !when.isBefore(notBefore) && !when.isAfter(notAfter);
    }
  }

  /** Reads the clocks of the servers, unless the last reading is recent. */
  void look() {
    if (time.instant().isBefore(lastReading.plus(READING_INTERVAL))) {
      return;
    }
    lastReading = time.instant();
    if (!databaseUnreachable.getAsBoolean()) {
      follow();
    }
    if (ofDatabase.isKnown()) {
      ofStock = ofStock.after(reading(stockClock), instant());
    }
  }

  /** Its machine was suspended for that time: the monotonic clock stood still. */
  void standStill(Duration suspended) {
    stoodStill = stoodStill.plus(suspended);
  }

  /** What the wall clock of its machine says. */
  Instant machine() {
    return time.instant().plus(skew);
  }

  @Override
  public void follow() {
    if (databaseUnreachable.getAsBoolean()) {
      throw new DatabaseUnavailableException(
          Effect.NONE,
          "the database's clock cannot be read",
          new IllegalStateException("not reachable"));
    }
    @Nullable Instant witness = ofDatabase.isKnown() ? machine() : null;
    ofDatabase = ofDatabase.after(reading(databaseClock), witness);
  }

  @Override
  public Instant instant() {
    if (!ofDatabase.isKnown()) {
      follow();
    }
    return ofDatabase.at(nanos());
  }

  /**
   * The span of a claim call that is sent now.
   *
   * @throws StockUnavailableException while the stock's time is not certain; nothing happened
   */
  Span from(Duration within) {
    if (!ofStock.isCertain()) {
      throw new StockUnavailableException(Effect.NONE, "the stock's clock is not certain", null);
    }
    var now = ofStock.at(nanos());
    return new Span(now.minus(ClockEstimate.MAX_STEP), now.plus(within));
  }

  private ClockEstimate.Reading reading(InstantSource clock) {
    return new ClockEstimate.Reading(clock.instant(), nanos(), nanos());
  }

  /** The monotonic clock of its machine. */
  long nanos() {
    return Duration.between(start, time.instant()).minus(stoodStill).toNanos();
  }
}
