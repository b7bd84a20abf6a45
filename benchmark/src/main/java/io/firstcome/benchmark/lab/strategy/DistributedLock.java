package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * A Redisson lock around check and insert, with default settings: it is renewed while its owner
 * lives, and waiting callers are notified by Pub/Sub.
 *
 * <p>Right: it is exact while the lock has only one owner, and needs no lock in the database.
 * Wrong: one claim at a time, with round trips to two servers inside the lock; a caller whose wait
 * times out has no answer although slots are left; after a kill no claim succeeds until the lock
 * expires; and an owner that was frozen for longer than the lease does not know that there is
 * another owner.
 */
final class DistributedLock implements Strategy {

  private static final String LOCK = "lab:lock";
  private static final Duration WAIT = Duration.ofSeconds(20);

  /** A third of the default of thirty seconds, so that a kill blocks the lab for less time. */
  private static final Duration WATCHDOG = Duration.ofSeconds(10);

  private final Stores stores;
  private final CheckThenAct inside;
  private final RedissonClient redisson;
  private final RLock lock;

  DistributedLock(Stores stores, int quantity) {
    this.stores = stores;
    this.inside = new CheckThenAct(stores, quantity);
    var config = new Config();
    config.setLockWatchdogTimeout(WATCHDOG.toMillis());
    config
        .useSingleServer()
        .setAddress("redis://%s:%d".formatted(stores.redis().host(), stores.redis().port()));
    this.redisson = Redisson.create(config);
    this.lock = redisson.getLock(LOCK);
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    inside.prepare();
  }

  @Override
  public StrategyAnswer claim(String user) throws SQLException, InterruptedException {
    if (!lock.tryLock(WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("the lock was not free in time");
    }
    try {
      return inside.claim(user);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<String> owners() throws SQLException {
    return inside.owners();
  }

  @Override
  public void close() {
    redisson.shutdown();
    inside.close();
  }
}
