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
 * A lock of Redisson's around check and insert, in the default manner: it is renewed while its
 * owner lives, and waiters are woken by Pub/Sub.
 *
 * <p>Right: it is exact while the lock is one, and the database needs to know nothing of it. Wrong:
 * one claim at a time, with round trips to two servers inside the lock; who waits too long is sent
 * away with pieces left; after a kill nobody gets in until the lock has run out; and an owner that
 * stood still for longer than the lock lives does not know that it is not alone.
 */
final class DistributedLock implements Strategy {

  private static final String LOCK = "lab:lock";
  private static final Duration WAIT = Duration.ofSeconds(20);

  /** A third of the default of thirty seconds, so that a kill does not stop the lab for so long. */
  private static final Duration WATCHDOG = Duration.ofSeconds(10);

  private final Stores stores;
  private final CheckThenAct inside;
  private final RedissonClient redisson;
  private final RLock lock;

  DistributedLock(Stores stores, int pieces) {
    this.stores = stores;
    this.inside = new CheckThenAct(stores, pieces);
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
  public Answer claim(String user) throws SQLException, InterruptedException {
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
