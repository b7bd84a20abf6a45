package io.firstcome.application;

import io.firstcome.domain.clock.ClockEstimate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The clock of the stock server, which is right, or wrong by days for some time. */
final class SimulatedStockClock implements InstantSource {

  private static final int MAX_DAYS = 40;
  private static final int MILLIS_A_DAY = 86_400_000;

  private final Schedule schedule;
  private final InstantSource time;
  private Duration ahead = Duration.ZERO;
  private Instant wrongSince = Instant.MAX;

  /**
   * @param time the right one
   */
  SimulatedStockClock(Schedule schedule, InstantSource time) {
    this.schedule = schedule;
    this.time = time;
  }

  @Override
  public Instant instant() {
    return time.instant().plus(ahead);
  }

  /** Ahead or behind, by another time than any jump before. */
  void jump() {
    var by = Duration.ofDays(1 + schedule.below(MAX_DAYS)).plusMillis(schedule.below(MILLIS_A_DAY));
    ahead = schedule.chance(0.5) ? by : by.negated();
    wrongSince = time.instant();
    schedule.note("stock", "clock is ahead by", ahead);
  }

  void comeBack() {
    ahead = Duration.ZERO;
    wrongSince = Instant.MAX;
  }

  boolean isWrong() {
    return !ahead.isZero();
  }

  /** Whether it has been wrong by the same time for so long that instances may go by it. */
  boolean mayBeFollowed() {
    return isWrong() && !wrongSince.plus(ClockEstimate.PERSISTS).isAfter(time.instant());
  }
}
