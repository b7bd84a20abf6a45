package io.firstcome.systemtests.agent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;

/** The machine's clock, shifted by a fixed amount. The agent redirects clock reads to it. */
public final class ShiftedClock {

  private static volatile Duration shift = Duration.ZERO;

  private ShiftedClock() {}

  static void shiftBy(Duration amount) {
    shift = amount;
  }

  public static long currentTimeMillis() {
    return System.currentTimeMillis() + shift.toMillis();
  }

  public static Instant now() {
    return Instant.now().plus(shift);
  }

  public static InstantSource system() {
    return InstantSource.offset(InstantSource.system(), shift);
  }

  public static Clock systemUTC() {
    return Clock.offset(Clock.systemUTC(), shift);
  }

  public static Clock systemDefaultZone() {
    return Clock.offset(Clock.system(ZoneId.systemDefault()), shift);
  }
}
