package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One Lua script that decides and writes the win to a stream in the same step, and a consumer that
 * writes rows and then deletes: the outbox, in Redis. The fair rival of Firstcome.
 *
 * <p>Right: with {@code appendfsync always} it is exact through any kill, as winner and hand-off
 * exist together or not at all. What it costs: one call and its share of a flush for each claim.
 * What it does not know: a Redis that comes back without its last writes goes on as if nothing had
 * been, and gives their places away again.
 */
final class StreamHandOff implements Strategy {

  private final Stores stores;
  private final Rows rows;
  private final RedisCalls redis;
  private final CounterAndSet counterAndSet;
  private @Nullable WinStream wins;

  StreamHandOff(Stores stores, int pieces) {
    this.stores = stores;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
    this.counterAndSet = new CounterAndSet(redis, "counter_set_and_stream", pieces, WinStream.KEY);
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
  public Answer claim(String user) {
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
