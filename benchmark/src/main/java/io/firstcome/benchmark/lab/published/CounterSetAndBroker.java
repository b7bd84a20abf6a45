package io.firstcome.benchmark.lab.published;

import io.firstcome.benchmark.lab.strategy.CounterAndSet;
import io.firstcome.benchmark.lab.strategy.RedisCalls;
import io.firstcome.benchmark.lab.strategy.Rows;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.benchmark.lab.strategy.Strategy;
import io.firstcome.benchmark.lab.strategy.StrategyAnswer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * As published: one Lua script decides with a counter and a set of users; then the caller sends a
 * persistent message to a durable queue of the broker, without a publisher confirm, and a consumer
 * inserts the rows. The script is also the one of the best forms, which send to Redis.
 *
 * <p>Right: the decision is atomic, and the database has no waiting callers. Wrong: script and send
 * are two steps. If the process dies between them, or the broker does not get the message, the user
 * stays in the set without a row, and each retry is answered "already won"; without a confirm the
 * user even has the answer "won" ({@code
 * PublishedFaultsIT#a_win_is_lost_if_the_broker_does_not_get_its_message}).
 */
final class CounterSetAndBroker implements Strategy {

  private final Stores stores;
  private final Rows rows;
  private final RedisCalls redis;
  private final CounterAndSet counterAndSet;
  private @Nullable WinQueue wins;

  CounterSetAndBroker(Stores stores, int quantity) {
    this.stores = stores;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
    this.counterAndSet = new CounterAndSet(redis, quantity);
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.createWithoutConstraint();
    WinQueue.delete(stores.amqp());
  }

  @Override
  public void start() {
    wins = WinQueue.open(stores.amqp(), rows);
  }

  @Override
  public StrategyAnswer claim(String user) throws IOException, InterruptedException {
    var answer = counterAndSet.claim(user);
    if (answer == StrategyAnswer.WON) {
      wins().send(user);
    }
    return answer;
  }

  @Override
  public void settle(Duration within) throws InterruptedException {
    wins().settle(within);
  }

  private WinQueue wins() {
    return Objects.requireNonNull(wins, "not started");
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
