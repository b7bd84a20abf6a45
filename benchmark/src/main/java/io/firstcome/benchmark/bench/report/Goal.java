package io.firstcome.benchmark.bench.report;

import java.util.Locale;

/**
 * What a ratio has to be.
 *
 * @param ratio the least or the most it may be
 */
public record Goal(Bound bound, double ratio) {

  /** On which side of the goal the ratio has to be. */
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
