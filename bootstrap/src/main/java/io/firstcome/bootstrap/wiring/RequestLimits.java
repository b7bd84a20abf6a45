package io.firstcome.bootstrap.wiring;

import java.time.Duration;

/**
 * How many requests an instance accepts from a caller in a window of time. A caller may send all of
 * them at once, and then as many as the window gives back: after a tenth of it, a tenth.
 *
 * @param window for all of them; at least a second, the unit of the answers' headers
 * @param claims of a user
 * @param reads of a user
 * @param redemptions of a user, with quotes and returns
 * @param shop requests of a shop for all its customers
 * @param operator requests of an operator
 * @param address requests of an address, for all its users: those of a mobile network can share one
 */
public record RequestLimits(
    Duration window, int claims, int reads, int redemptions, int shop, int operator, int address) {

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  public RequestLimits {
    if (window.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException("window must be at least a second: " + window);
    }
  }

  /** The values for production. */
  public static RequestLimits defaults() {
    return new RequestLimits(Duration.ofSeconds(10), 300, 300, 200, 20_000, 1_000, 10_000);
  }
}
