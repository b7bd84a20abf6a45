package io.firstcome.application;

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
 * The clocks of one instance: its machine's, and its estimates of those of the database and of the
 * stock, made as the adapters make them.
 */
final class SimulatedClocks implements DatabaseClock {

  private static final Duration LOOKS_EVERY = Duration.ofMillis(500);

  private final InstantSource time;
  private final Duration skew;
  private final InstantSource stockClock;
  private final InstantSource databaseClock;
  private final BooleanSupplier databaseIsAway;
  private final Instant start;
  private Duration stoodStill = Duration.ZERO;
  private Instant lastLook = Instant.MIN;
  private ClockEstimate ofDatabase = ClockEstimate.NONE;
  private ClockEstimate ofStock = ClockEstimate.NONE;

  /**
   * @param time the right one
   * @param skew how far the clock of the instance's machine is ahead
   */
  SimulatedClocks(
      InstantSource time,
      Duration skew,
      InstantSource stockClock,
      InstantSource databaseClock,
      BooleanSupplier databaseIsAway) {
    this.time = time;
    this.skew = skew;
    this.stockClock = stockClock;
    this.databaseClock = databaseClock;
    this.databaseIsAway = databaseIsAway;
    start = time.instant();
    look();
  }

  /** From when to when a claim call may take effect, by the stock's clock. */
  record Span(Instant notBefore, Instant notAfter) {

    boolean contains(Instant when) {
      return !when.isBefore(notBefore) && !when.isAfter(notAfter);
    }
  }

  /** Reads the clocks of the servers, if it is time again. */
  void look() {
    if (time.instant().isBefore(lastLook.plus(LOOKS_EVERY))) {
      return;
    }
    lastLook = time.instant();
    if (!databaseIsAway.getAsBoolean()) {
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
    if (databaseIsAway.getAsBoolean()) {
      throw new DatabaseUnavailableException(
          Effect.NONE, "the database's clock cannot be read", new IllegalStateException("away"));
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

  private long nanos() {
    return Duration.between(start, time.instant()).minus(stoodStill).toNanos();
  }
}
