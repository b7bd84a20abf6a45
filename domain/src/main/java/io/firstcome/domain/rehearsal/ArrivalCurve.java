package io.firstcome.domain.rehearsal;

import java.time.Duration;

/**
 * When the users of a drop send their claims, from the first one on.
 *
 * @param duration between the first and the last claim, 0 to {@value #MAX_SECONDS} s; ignored if
 *     all come at once
 * @param bursts into how many groups of users the duration is divided, 1 to {@value #MAX_BURSTS};
 *     only of {@link Shape#BURSTS}
 */
public record ArrivalCurve(Shape shape, Duration duration, int bursts) {

  public static final int MAX_SECONDS = 600;
  public static final int MAX_BURSTS = 1_000;

  /** How the rate of claims changes. */
  public enum Shape {
    /** All users claim at the same moment. */
    AT_ONCE,
    /** The rate grows from zero in proportion to the time. */
    RAMP,
    /** Groups of the same size, at equal distances; the users of a group claim at once. */
    BURSTS
  }

  public ArrivalCurve {
    if (duration.isNegative() || duration.toSeconds() > MAX_SECONDS) {
      throw new IllegalArgumentException("seconds must be 0 to " + MAX_SECONDS + ": " + duration);
    }
    if (bursts < 1 || bursts > MAX_BURSTS) {
      throw new IllegalArgumentException("bursts must be 1 to " + MAX_BURSTS + ": " + bursts);
    }
  }

  /** All users at the same moment. */
  public static ArrivalCurve atOnce() {
    return new ArrivalCurve(Shape.AT_ONCE, Duration.ZERO, 1);
  }

  /**
   * When a user claims, counted from the first claim.
   *
   * @param user 0 for the first one
   * @param users how many there are
   */
  public Duration dueAt(int user, int users) {
    return switch (shape) {
      case AT_ONCE -> Duration.ZERO;
      // The number of users up to a time grows with its square.
      case RAMP ->
          Duration.ofNanos(Math.round(duration.toNanos() * Math.sqrt((double) user / users)));
      case BURSTS -> Duration.ofNanos(duration.toNanos() / bursts * ((long) user * bursts / users));
    };
  }

  /** How many of the users have claimed until that time. */
  public int arrivedAt(Duration time, int users) {
    long whole = duration.toNanos();
    if (shape == Shape.AT_ONCE || time.toNanos() >= whole) {
      return users;
    }
    return switch (shape) {
      case AT_ONCE -> users;
      case RAMP -> {
        double share = (double) time.toNanos() / whole;
        yield Math.min(users, (int) (users * share * share) + 1);
      }
      case BURSTS -> {
        long group = time.toNanos() / (whole / bursts);
        yield Math.toIntExact(Math.min(users, Math.ceilDiv((group + 1) * users, (long) bursts)));
      }
    };
  }
}
