package io.firstcome.benchmark.bench.report;

import java.util.Locale;

/**
 * The goal for a ratio.
 *
 * @param ratio the lowest or the highest that meets it
 */
public record Goal(Bound bound, double ratio) {

  /** Whether the goal is a lower or an upper bound. */
  public enum Bound {
    AT_LEAST("≥"),
    AT_MOST("≤");

    private final String sign;

    Bound(String sign) {
      this.sign = sign;
    }
  }

  public static Goal atLeast(double ratio) {
    return new Goal(Bound.AT_LEAST, ratio);
  }

  public static Goal atMost(double ratio) {
    return new Goal(Bound.AT_MOST, ratio);
  }

  public boolean isMetBy(double measured) {
    return switch (bound) {
      case AT_LEAST -> measured >= ratio;
      case AT_MOST -> measured <= ratio;
    };
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s %.2f", bound.sign, ratio);
  }
}
