package io.firstcome.application.simulation;

import io.firstcome.domain.clock.ClockEstimate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The clock of a server, which is right or, for some time, wrong by days. */
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
   * @param time the right time
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
   * Jumps ahead or back, each time by a different amount.
   *
   * @param steps of the history after which the clock is right again
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
      reconnect();
    }
  }

  void reconnect() {
    rightAt = Integer.MAX_VALUE;
    ahead = Duration.ZERO;
    wrongSince = Instant.MAX;
  }

  boolean isWrong() {
    return !ahead.isZero();
  }

  /**
   * Whether the clock has been wrong by the same amount for so long that instances may follow it.
   */
  boolean mayBeFollowed() {
    return isWrong() && !wrongSince.plus(ClockEstimate.PERSISTS).isAfter(time.instant());
  }
}
