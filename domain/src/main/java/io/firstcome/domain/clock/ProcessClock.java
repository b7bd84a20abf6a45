package io.firstcome.domain.clock;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The clocks of this process. Each can fail: the monotonic clock stands still while a virtual
 * machine is suspended, and the wall clock can be set.
 */
public interface ProcessClock {

  /** The monotonic clock, as {@link System#nanoTime}. */
  long nanos();

  /** The wall clock. */
  Instant wall();

  /** Lets the calling thread sleep. */
  void sleep(Duration time) throws InterruptedException;

  /** Reads both clocks. */
  default Reading now() {
    return new Reading(nanos(), wall());
  }

  /** The clocks of the machine, of which this is the wall clock. */
  static ProcessClock of(InstantSource wallClock) {
    return new ProcessClock() {
      @Override
      public long nanos() {
        return System.nanoTime();
      }

      @Override
      public Instant wall() {
        return wallClock.instant();
      }

      @Override
      public void sleep(Duration time) throws InterruptedException {
        Thread.sleep(time);
      }
    };
  }

  /** A reading of both clocks. */
  record Reading(long nanos, Instant wall) {

    /**
     * Whether less than this time has passed by both clocks until the later reading. A wall clock
     * that went back counts as if more had passed.
     */
    public boolean isYounger(Duration age, Reading later) {
      var byWall = Duration.between(wall, later.wall);
      return later.nanos - nanos < age.toNanos()
          && !byWall.isNegative()
          && byWall.compareTo(age) < 0;
    }
  }
}
