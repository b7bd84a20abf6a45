package io.firstcome.application;

import io.firstcome.domain.clock.ProcessClock;
import java.time.Duration;
import java.time.Instant;

/** Clocks of a process that a test sets. Whoever sleeps lets the time pass at once. */
public final class ManualClock implements ProcessClock {

  private long nanos = 1_000_000_000;
  private Instant wall = Instant.parse("2026-11-27T12:00:00Z");

  /** Time passes by both clocks. */
  public void pass(Duration time) {
    passMonotonic(time);
    passWall(time);
  }

  /** Time passes by the monotonic clock only. */
  public void passMonotonic(Duration time) {
    nanos += time.toNanos();
  }

  /** Time passes by the wall clock only. */
  public void passWall(Duration time) {
    wall = wall.plus(time);
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public Instant wall() {
    return wall;
  }

  @Override
  public void sleep(Duration time) {
    pass(time);
  }
}
