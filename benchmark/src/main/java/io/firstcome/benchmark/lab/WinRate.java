package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.benchmark.lab.strategy.Stores;
import java.sql.SQLException;

/**
 * Measures how fast a strategy allocates slots while some are free: slightly more users than slots
 * claim at once, by the callers of the lab.
 */
public final class WinRate {

  /** The load has one extra user for each group of this number of slots. */
  private static final int EXTRA_USERS_DIVISOR = 10;

  private final Stores stores;
  private final long seed;

  /**
   * @param stores whose database for the strategies exists
   */
  public WinRate(Stores stores, long seed) {
    this.stores = stores;
    this.seed = seed;
  }

  /**
   * Wins per second.
   *
   * @param answered until the answer of the last win
   * @param recorded until the row of the last win
   */
  public record Rates(double answered, double recorded) {}

  /** Called at the start of the load, and at its end, when each win is a row. */
  public interface Watch {

    void begins();

    void ends(long wins);
  }

  /**
   * Issues this number of slots, and waits until each is a row.
   *
   * @throws IllegalStateException if the rows are not exact, or a request had no answer
   */
  public Rates measure(Contender contender, int quantity, Watch watch) throws InterruptedException {
    var load = new Load(quantity + Math.max(1, quantity / EXTRA_USERS_DIVISOR), quantity, seed);
    try {
      var result = Turn.run(contender, stores, load, watch);
      if (!result.verdict().exact() || result.burst().failed() > 0) {
        throw new IllegalStateException(
            "%s: %d requests without an answer, %s"
                .formatted(contender.id(), result.burst().failed(), result.verdict()));
      }
      return new Rates(result.burst().winsPerSecond(), result.recordedPerSecond());
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the rows", e);
    }
  }
}
