package io.firstcome.benchmark.lab.strategy;

import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.sync.RedisCommands;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * MULTI/EXEC with compensation: one Redis transaction adds the user and increments the counter, and
 * a second one undoes both if the result is too high; the winner's row is inserted before the
 * answer. Each transaction needs a connection of its own, from a pool.
 *
 * <p>Right: both changes are atomic, and no script is needed. Wrong: a transaction cannot read
 * before it writes, so every late or repeated claim writes and compensates. Until then other claims
 * count it, and if the process dies before, it stays counted.
 */
final class MultiExec implements Strategy {

  private static final String USERS = "lab:users";
  private static final String GIVEN = "lab:given";
  private static final int CONNECTIONS = 16;

  private final Stores stores;
  private final int quantity;
  private final Rows rows;
  private final RedisCalls redis;
  private final BlockingQueue<RedisCommands<String, String>> idle =
      new ArrayBlockingQueue<>(CONNECTIONS);

  MultiExec(Stores stores, int quantity) {
    this.stores = stores;
    this.quantity = quantity;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
    for (int i = 0; i < CONNECTIONS; i++) {
      idle.add(redis.connect().sync());
    }
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.create();
  }

  @Override
  public StrategyAnswer claim(String user) throws SQLException, InterruptedException {
    var answer = decide(user);
    if (answer == StrategyAnswer.WON && !rows.insert(user)) {
      redis.sync().decr(GIVEN);
      return StrategyAnswer.ALREADY;
    }
    return answer;
  }

  private StrategyAnswer decide(String user) throws InterruptedException {
    var own = idle.take();
    try {
      own.multi();
      own.sadd(USERS, user);
      own.incr(GIVEN);
      TransactionResult result = own.exec();
      long added = result.get(0);
      long given = result.get(1);
      if (added == 0) {
        own.decr(GIVEN);
        return StrategyAnswer.ALREADY;
      }
      if (given > quantity) {
        own.multi();
        own.srem(USERS, user);
        own.decr(GIVEN);
        own.exec();
        return StrategyAnswer.SOLD_OUT;
      }
      return StrategyAnswer.WON;
    } finally {
      idle.add(own);
    }
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
