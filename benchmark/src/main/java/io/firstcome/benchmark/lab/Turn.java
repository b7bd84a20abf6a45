package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.benchmark.lab.strategy.Strategy;
import java.sql.SQLException;
import java.time.Duration;

/** A measured round: one strategy, one load, no kill. */
final class Turn {

  /** Timeout for all wins to become rows. */
  static final Duration SETTLE_WITHIN = Duration.ofMinutes(2);

  /** The load is divided by this for the warm-up. */
  private static final int WARM_UP_SHARE = 5;

  private static final double NANOS_PER_SECOND = 1e9;

  private static final WinRate.Watch NO_WATCH =
      new WinRate.Watch() {
        @Override
        public void begins() {}

        @Override
        public void ends(long wins) {}
      };

  private Turn() {}

  /**
   * The result of a round.
   *
   * @param durableAfter time from the first request to the last row
   */
  record Result(CallerBurst.Result burst, Duration durableAfter, Verdict verdict) {

    /** Wins per second, from the first request to the last row. */
    double recordedPerSecond() {
      return burst.wins().getTotalCount()
          / (Math.max(1, durableAfter.toNanos()) / NANOS_PER_SECOND);
    }
  }

  static Result run(Contender contender, Stores stores, Load load)
      throws SQLException, InterruptedException {
    return run(contender, stores, load, NO_WATCH);
  }

  static Result run(Contender contender, Stores stores, Load load, WinRate.Watch watch)
      throws SQLException, InterruptedException {
    try (var strategy = contender.opener().open(stores, load.quantity())) {
      strategy.prepare();
      strategy.start();
      var reported = new ReportedWins();
      watch.begins();
      long started = System.nanoTime();
      var burst = new CallerBurst(strategy, load.requests(), reported, user -> {}).run();
      strategy.settle(SETTLE_WITHIN);
      var durableAfter = Duration.ofNanos(System.nanoTime() - started);
      watch.ends(burst.wins().getTotalCount());
      return new Result(burst, durableAfter, verdict(strategy, load, reported));
    }
  }

  /** Warms up the JVM and the servers with a smaller load. */
  static void warmUp(Contender contender, Stores stores, Load load)
      throws SQLException, InterruptedException {
    int users = Math.max(1, load.users() / WARM_UP_SHARE);
    int quantity = Math.max(1, load.quantity() / WARM_UP_SHARE);
    var _ = run(contender, stores, new Load(users, quantity, load.seed() + 1));
  }

  static Verdict verdict(Strategy strategy, Load load, ReportedWins reported) throws SQLException {
    return Verdict.of(load, reported.winners(), reported.refused(), strategy.owners());
  }
}
