package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One Lua script that decides, and a message to a consumer that is sent and not waited for: what
 * {@code send(…)} without a look at its result comes to. The message goes to a stream here, and the
 * consumer behind it is a careful one, so that only the sending differs from {@link StreamHandOff}.
 *
 * <p>Right: the decision is atomic, so it is never over-issued, and the caller waits for one short
 * call. Wrong: a win whose message was not sent when the process or Redis died is in the set for
 * ever and never in the database, and nothing notices: its user is told "you have it" each time.
 */
final class FireAndForget implements Strategy {

  private final Stores stores;
  private final Rows rows;
  private final RedisCalls redis;
  private final CounterAndSet counterAndSet;
  private @Nullable WinStream wins;

  FireAndForget(Stores stores, int pieces) {
    this.stores = stores;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
    this.counterAndSet = new CounterAndSet(redis, "counter_and_set", pieces);
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
    var answer = counterAndSet.claim(user);
    if (answer == Answer.WON) {
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
