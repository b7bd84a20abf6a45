package io.firstcome.benchmark.lab.strategy;

import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.sync.RedisCommands;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * MULTI/EXEC with compensation: add the user and count up in one transaction of Redis, look at what
 * came out, and take it back in another one where it was too much; the winner's row is inserted
 * before the answer. Each transaction has a connection of a pool to itself, as it must.
 *
 * <p>Right: the two changes are made together, and no script is needed. Wrong: a transaction cannot
 * look before it changes, so every late or repeated claim changes something and takes it back. In
 * the time between, others count it; and who dies in between leaves it for good.
 */
final class MultiExec implements Strategy {

  private static final String USERS = "lab:users";
  private static final String GIVEN = "lab:given";
  private static final int CONNECTIONS = 16;

  private final Stores stores;
  private final int pieces;
  private final Rows rows;
  private final RedisCalls redis;
  private final BlockingQueue<RedisCommands<String, String>> idle =
      new ArrayBlockingQueue<>(CONNECTIONS);

  MultiExec(Stores stores, int pieces) {
    this.stores = stores;
    this.pieces = pieces;
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
  public Answer claim(String user) throws SQLException, InterruptedException {
    var answer = decide(user);
    if (answer == Answer.WON && !rows.insert(user)) {
      redis.sync().decr(GIVEN);
      return Answer.ALREADY;
    }
    return answer;
  }

  private Answer decide(String user) throws InterruptedException {
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
        return Answer.ALREADY;
      }
      if (given > pieces) {
        own.multi();
        own.srem(USERS, user);
        own.decr(GIVEN);
        own.exec();
        return Answer.SOLD_OUT;
      }
      return Answer.WON;
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
