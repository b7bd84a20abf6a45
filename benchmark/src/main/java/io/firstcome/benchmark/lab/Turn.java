package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.benchmark.lab.strategy.Strategy;
import java.sql.SQLException;
import java.time.Duration;

/** One strategy, one load, no death: what the speed is measured with. */
final class Turn {

  /** How long what was accepted may take to become rows. */
  static final Duration SETTLE_WITHIN = Duration.ofMinutes(2);

  /** So small a share of the load goes before it. */
  private static final int WARM_UP_SHARE = 5;

  private static final double NANOS_PER_SECOND = 1e9;

  private static final WinRate.Watch NOBODY =
      new WinRate.Watch() {
        @Override
        public void begins() {}

        @Override
        public void ends(long wins) {}
      };

  private Turn() {}

  /**
   * What came of it.
   *
   * @param durableAfter from the first request until every row was there
   */
  record Result(Burst.Result burst, Duration durableAfter, Verdict verdict) {

    /** Wins a second, until each was a row. */
    double recordedPerSecond() {
      return burst.wins().getTotalCount()
          / (Math.max(1, durableAfter.toNanos()) / NANOS_PER_SECOND);
    }
  }

  static Result run(Contender contender, Stores stores, Load load)
      throws SQLException, InterruptedException {
    return run(contender, stores, load, NOBODY);
  }

  static Result run(Contender contender, Stores stores, Load load, WinRate.Watch watch)
      throws SQLException, InterruptedException {
    try (var strategy = contender.opener().open(stores, load.pieces())) {
      strategy.prepare();
      strategy.start();
      var told = new Told();
      watch.begins();
      long started = System.nanoTime();
      var burst = new Burst(strategy, load.requests(), told, user -> {}).run();
      strategy.settle(SETTLE_WITHIN);
      var durableAfter = Duration.ofNanos(System.nanoTime() - started);
      watch.ends(burst.wins().getTotalCount());
      return new Result(burst, durableAfter, verdict(strategy, load, told));
    }
  }

  /** Lets the JVM and the servers get to know the strategy, with a smaller load. */
  static void warmUp(Contender contender, Stores stores, Load load)
      throws SQLException, InterruptedException {
    int users = Math.max(1, load.users() / WARM_UP_SHARE);
    int pieces = Math.max(1, load.pieces() / WARM_UP_SHARE);
    var _ = run(contender, stores, new Load(users, pieces, load.seed() + 1));
  }

  static Verdict verdict(Strategy strategy, Load load, Told told) throws SQLException {
    return Verdict.of(load, told.winners(), told.refused(), strategy.owners());
  }
}
