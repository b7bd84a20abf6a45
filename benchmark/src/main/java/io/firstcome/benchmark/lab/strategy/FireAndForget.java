package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One Lua script that decides, and a message to a consumer, sent without waiting for the reply: a
 * {@code send(…)} whose result is ignored. The message goes to a stream, whose consumer is
 * reliable, so that only the sending differs from {@link StreamHandOff}.
 *
 * <p>Right: the decision is atomic, so nothing is over-issued, and the caller waits for one short
 * call. Wrong: a win whose message was not sent before the process or Redis died stays in the set
 * and never becomes a row, and nothing detects that: each retry of its user is answered "already
 * won".
 */
final class FireAndForget implements Strategy {

  private final Stores stores;
  private final Rows rows;
  private final RedisCalls redis;
  private final CounterAndSet counterAndSet;
  private @Nullable WinStream wins;

  FireAndForget(Stores stores, int quantity) {
    this.stores = stores;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
    this.counterAndSet = new CounterAndSet(redis, quantity);
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
    var answer = counterAndSet.claim(user);
    if (answer == StrategyAnswer.WON) {
      var _ = redis.async().xadd(WinStream.KEY, Map.of(WinStream.USER, user));
    }
    return answer;
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
