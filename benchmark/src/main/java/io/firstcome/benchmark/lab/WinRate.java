package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.benchmark.lab.strategy.Stores;
import java.sql.SQLException;

/**
 * How fast strategies give pieces away while there are some: a little more users than pieces, all
 * at once, by the lab's callers.
 */
public final class WinRate {

  /** So small a share of the users is too late. */
  private static final int TOO_LATE_SHARE = 10;

  private final Stores stores;
  private final long seed;

  /**
   * @param stores with their database
   */
  public WinRate(Stores stores, long seed) {
    this.stores = stores;
    this.seed = seed;
  }

  /**
   * Gives away so many pieces, and waits until each is a row.
   *
   * @return wins a second, until the last one
   * @throws IllegalStateException if it was not exact, or somebody had no answer
   */
  public double measure(Contender contender, int pieces) throws InterruptedException {
    var load = new Load(pieces + Math.max(1, pieces / TOO_LATE_SHARE), pieces, seed);
    try {
      var result = Turn.run(contender, stores, load);
      if (!result.verdict().exact() || result.burst().failed() > 0) {
        throw new IllegalStateException(
            "%s gave up %d times: %s"
                .formatted(contender.id(), result.burst().failed(), result.verdict()));
      }
      return result.burst().winsPerSecond();
    } catch (SQLException e) {
      throw new IllegalStateException("the rows could not be read", e);
    }
  }
}
