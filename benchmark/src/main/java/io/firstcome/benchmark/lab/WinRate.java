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
   * How fast it was.
   *
   * @param told wins a second, until the last one was told
   * @param recorded wins a second, until the last one was a row
   */
  public record Rates(double told, double recorded) {}

  /** Sees the beginning of the load and its end, when each win is a row. */
  public interface Watch {

    void begins();

    void ends(long wins);
  }

  /**
   * Gives away so many pieces, and waits until each is a row.
   *
   * @throws IllegalStateException if it was not exact, or somebody had no answer
   */
  public Rates measure(Contender contender, int pieces, Watch watch) throws InterruptedException {
    var load = new Load(pieces + Math.max(1, pieces / TOO_LATE_SHARE), pieces, seed);
    try {
      var result = Turn.run(contender, stores, load, watch);
      if (!result.verdict().exact() || result.burst().failed() > 0) {
        throw new IllegalStateException(
            "%s gave up %d times: %s"
                .formatted(contender.id(), result.burst().failed(), result.verdict()));
      }
      return new Rates(result.burst().winsPerSecond(), result.recordedPerSecond());
    } catch (SQLException e) {
      throw new IllegalStateException("the rows could not be read", e);
    }
  }
}
