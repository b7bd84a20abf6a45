package io.firstcome.application;

import io.firstcome.domain.clock.ClockEstimate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The clock of a server, which is right, or wrong by days for some time. */
final class SimulatedServerClock implements InstantSource {

  private static final int MAX_DAYS = 40;
  private static final int MILLIS_A_DAY = 86_400_000;

  private final String server;
  private final Schedule schedule;
  private final InstantSource time;
  private Duration ahead = Duration.ZERO;
  private Instant wrongSince = Instant.MAX;
  private int rightAt = Integer.MAX_VALUE;

  /**
   * @param time the right one
   */
  SimulatedServerClock(String server, Schedule schedule, InstantSource time) {
    this.server = server;
    this.schedule = schedule;
    this.time = time;
  }

  @Override
  public Instant instant() {
    return time.instant().plus(ahead);
  }

  /**
   * Ahead or behind, by another time than any jump before.
   *
   * @param steps of the history after which it is right again
   */
  void jump(int steps) {
    var by = Duration.ofDays(1 + schedule.below(MAX_DAYS)).plusMillis(schedule.below(MILLIS_A_DAY));
    ahead = schedule.chance(0.5) ? by : by.negated();
    wrongSince = time.instant();
    rightAt = schedule.step() + steps;
    schedule.note(server, "clock is ahead by", ahead);
  }

  void timePasses() {
    if (schedule.step() >= rightAt) {
      comeBack();
    }
  }

  void comeBack() {
    rightAt = Integer.MAX_VALUE;
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
