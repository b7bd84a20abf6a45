package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The row lock with NOWAIT: a caller that finds it locked fails at once, and retries after a short
 * random pause, a bounded number of times.
 *
 * <p>Right: as exact as the lock that waits, and no caller holds a connection while waiting. Wrong:
 * it has no more wins per second, nearly all attempts fail under load, the order is random, and a
 * caller without further retries has no answer although slots are left.
 */
final class NowaitRowLock implements Strategy {

  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final int TRIES = 20;
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

  private final RowLock rowLock;

  NowaitRowLock(Stores stores, int quantity) {
    rowLock = new RowLock(stores, quantity, RowLock.Wait.FOR_UPDATE_NOWAIT);
  }

  @Override
  public void prepare() throws SQLException {
    rowLock.prepare();
  }

  @Override
  public StrategyAnswer claim(String user) throws SQLException, InterruptedException {
    for (int i = 1; ; i++) {
      try {
        return rowLock.claim(user);
      } catch (SQLException e) {
        if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState()) || i == TRIES) {
          throw e;
        }
      }
      var random = ThreadLocalRandom.current();
      Thread.sleep(
          Duration.ofNanos(random.nextLong(SHORTEST_PAUSE.toNanos(), LONGEST_PAUSE.toNanos())));
    }
  }

  @Override
  public List<String> owners() throws SQLException {
    return rowLock.owners();
  }

  @Override
  public void close() {
    rowLock.close();
  }
}
