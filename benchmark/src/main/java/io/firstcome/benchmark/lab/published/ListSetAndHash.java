package io.firstcome.benchmark.lab.published;

import io.firstcome.benchmark.lab.strategy.RedisCalls;
import io.firstcome.benchmark.lab.strategy.RedisCalls.Script;
import io.firstcome.benchmark.lab.strategy.Rows;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.benchmark.lab.strategy.Strategy;
import io.firstcome.benchmark.lab.strategy.StrategyAnswer;
import io.firstcome.benchmark.rig.BoundedWait;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * As published: one Lua script takes a slot from a list, and adds the user to a set and to a hash
 * from user to slot; the caller starts a future that inserts the row, and does not wait for it.
 *
 * <p>Right: the script is atomic, so no slot is issued twice and none is lost in Redis. Wrong: the
 * future is only in memory. If the process dies before it ran, or the insert fails, the user has
 * the answer "won" and never gets a row; each retry is answered "already won", and the hash is not
 * read again ({@code PublishedFaultsIT#a_win_is_lost_if_the_process_dies_before_its_future_ran}).
 */
final class ListSetAndHash implements Strategy {

  private static final String USERS = "lab:users";
  private static final String STOCK = "lab:stock";
  private static final String ISSUED = "lab:issued";
  private static final String[] KEYS = {USERS, STOCK, ISSUED};

  private final Stores stores;
  private final int quantity;
  private final Executor executor;
  private final Rows rows;
  private final RedisCalls redis;
  private final Script script;

  /** Only for {@link #settle}: as published, nothing waits for the futures. */
  private final AtomicInteger unfinished = new AtomicInteger();

  /** With the default executor of {@link CompletableFuture}. */
  ListSetAndHash(Stores stores, int quantity) {
    this(stores, quantity, ForkJoinPool.commonPool());
  }

  /**
   * @param executor runs the futures
   */
  ListSetAndHash(Stores stores, int quantity, Executor executor) {
    this.stores = stores;
    this.quantity = quantity;
    this.executor = executor;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
    this.script = redis.script(ListSetAndHash.class, "list_set_and_hash");
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.createWithoutConstraint();
    redis
        .sync()
        .rpush(
            STOCK,
            IntStream.rangeClosed(1, quantity).mapToObj(Integer::toString).toArray(String[]::new));
  }

  @Override
  public StrategyAnswer claim(String user) {
    var answer = redis.decide(script, KEYS, user);
    if (answer == StrategyAnswer.WON) {
      unfinished.incrementAndGet();
      var _ = CompletableFuture.runAsync(() -> insert(user), executor);
    }
    return answer;
  }

  private void insert(String user) {
    try {
      var _ = rows.insert(user);
    } catch (SQLException e) {
      throw new CompletionException(e);
    } finally {
      unfinished.decrementAndGet();
    }
  }

  @Override
  public void settle(Duration within) throws InterruptedException {
    BoundedWait.until(within, () -> unfinished.get() == 0, "not all futures finished");
  }

  @Override
  public List<String> owners() throws SQLException {
    return rows.owners();
  }

  @Override
  public void close() {
    redis.close();
    rows.close();
  }
}
