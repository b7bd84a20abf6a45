package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One Lua script that decides and appends the win to a stream in the same step, and a consumer that
 * writes rows and then deletes the entries: an outbox in Redis. The closest competitor of
 * Firstcome.
 *
 * <p>Right: with {@code appendfsync always} it is exact after any kill, since winner and entry are
 * written atomically. It costs one call, and a share of a flush, for each claim. Wrong: it does not
 * detect that Redis restarted without its last writes, and allocates their slots again.
 */
final class StreamHandOff implements Strategy {

  private final Stores stores;
  private final WinRows rows;
  private final RedisCalls redis;
  private final CounterAndSet counterAndSet;
  private @Nullable WinStream wins;

  /**
   * @param rows are closed with this
   */
  StreamHandOff(Stores stores, int quantity, WinRows rows) {
    this.stores = stores;
    this.rows = rows;
    this.redis = new RedisCalls(stores);
    this.counterAndSet =
        new CounterAndSet(redis, "counter_set_and_stream", quantity, WinStream.KEY);
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.create();
  }

  @Override
  public void start() {
    wins = new WinStream(redis, rows);
  }

  @Override
  public StrategyAnswer claim(String user) {
    return counterAndSet.claim(user);
  }

  @Override
  public void settle(Duration within) throws InterruptedException {
    if (wins != null) {
      wins.settle(within);
    }
  }

  @Override
  public List<String> owners() throws SQLException {
    return rows.owners();
  }

  @Override
  public void close() {
    if (wins != null) {
      wins.close();
    }
    redis.close();
    rows.close();
  }
}
