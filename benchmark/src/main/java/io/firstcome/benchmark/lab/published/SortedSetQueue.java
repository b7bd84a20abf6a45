package io.firstcome.benchmark.lab.published;

import io.firstcome.benchmark.lab.strategy.Background;
import io.firstcome.benchmark.lab.strategy.RedisCalls;
import io.firstcome.benchmark.lab.strategy.Rows;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.benchmark.lab.strategy.Strategy;
import io.firstcome.benchmark.lab.strategy.StrategyAnswer;
import io.firstcome.benchmark.rig.BoundedWait;
import io.lettuce.core.ZAddArgs;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * As published: a sorted set as a queue of users, by the time of their claim. A worker pops the
 * first users once a second and inserts their rows; a claim is accepted into the queue, and then
 * the caller polls for the result.
 *
 * <p>Right: the load on the database is bounded, and only one worker decides, so it does not issue
 * too many. Wrong: each answer waits for the next run of the worker, as the latencies of the lab
 * show. ZPOPMIN deletes the users before their rows are durable: if the worker stops between the
 * two, accepted users are lost, and later users get their slots ({@code
 * PublishedFaultsIT#users_are_lost_if_the_worker_stops_after_it_popped_them}). The queue does not
 * contain users of earlier runs, so a winner who claims again wins again ({@code
 * PublishedFaultsIT#a_winner_who_claims_again_wins_again}).
 */
final class SortedSetQueue implements Strategy {

  private static final String QUEUE = "lab:queue";
  private static final int POPPED_AT_ONCE = 1_000;
  private static final Duration RUN_EVERY = Duration.ofSeconds(1);
  private static final Duration POLL_EVERY = Duration.ofMillis(100);

  /** A user who was popped and has no row would wait forever. */
  private static final Duration RESULT_WITHIN = Duration.ofSeconds(30);

  private final Stores stores;
  private final int quantity;
  private final Rows rows;
  private final RedisCalls redis;
  private volatile boolean issuing;
  private volatile boolean soldOut;
  private @Nullable Background worker;

  SortedSetQueue(Stores stores, int quantity) {
    this.stores = stores;
    this.quantity = quantity;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.createWithoutConstraint();
  }

  @Override
  public void start() {
    worker =
        new Background(
            "issues to the first users of the queue",
            () -> {
              Thread.sleep(RUN_EVERY);
              issueToFirst();
            });
  }

  /** One run of the worker. */
  void issueToFirst() throws SQLException {
    issuing = true;
    try {
      long left = quantity - rows.count();
      if (left <= 0) {
        soldOut = true;
        return;
      }
      for (var first : redis.sync().zpopmin(QUEUE, Math.min(left, POPPED_AT_ONCE))) {
        var _ = rows.insert(first.getValue());
      }
    } finally {
      issuing = false;
    }
  }

  /** Returns whether the user was accepted; otherwise the user is in the queue already. */
  boolean accept(String user) {
    double time = (double) System.currentTimeMillis();
    return redis.sync().zadd(QUEUE, ZAddArgs.Builder.nx(), time, user) == 1;
  }

  @Override
  public StrategyAnswer claim(String user) throws SQLException, InterruptedException {
    if (soldOut) {
      return StrategyAnswer.SOLD_OUT;
    }
    return accept(user) ? result(user) : StrategyAnswer.ALREADY;
  }

  private StrategyAnswer result(String user) throws SQLException, InterruptedException {
    long end = System.nanoTime() + RESULT_WITHIN.toNanos();
    while (System.nanoTime() < end) {
      // Read first: all rows of earlier runs are visible after that.
      boolean noneLeft = soldOut;
      if (redis.sync().zscore(QUEUE, user) == null && rows.has(user)) {
        return StrategyAnswer.WON;
      }
      if (noneLeft) {
        return StrategyAnswer.SOLD_OUT;
      }
      Thread.sleep(POLL_EVERY);
    }
    throw new IllegalStateException("the worker did not issue to the user in time");
  }

  @Override
  public void settle(Duration within) throws InterruptedException {
    // The worker is busy from before it pops users until it has inserted their rows.
    BoundedWait.until(
        within,
        () -> soldOut || (redis.sync().zcard(QUEUE) == 0 && !issuing),
        "the queue was not empty");
  }

  @Override
  public List<String> owners() throws SQLException {
    return rows.owners();
  }

  @Override
  public void close() {
    if (worker != null) {
      worker.close();
    }
    redis.close();
    rows.close();
  }
}
