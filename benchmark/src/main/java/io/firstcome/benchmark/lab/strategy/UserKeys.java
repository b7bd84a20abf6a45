package io.firstcome.benchmark.lab.strategy;

import io.lettuce.core.SetArgs;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * A counter in Redis, and a key per user that expires after five minutes, against repeated claims;
 * the winner's row is inserted before the answer.
 *
 * <p>Right: INCR returns a different number to every caller, so number N+1 cannot win. Wrong: a
 * process that dies between INCR and the row loses the slot; until the key expires, retries of its
 * user are answered "already won", and after that only the unique index detects repeated claims.
 */
final class UserKeys implements Strategy {

  private static final String COUNTER = "lab:given";
  private static final Duration USER_KEY_TIME = Duration.ofMinutes(5);

  private final Stores stores;
  private final int quantity;
  private final Rows rows;
  private final RedisCalls redis;

  UserKeys(Stores stores, int quantity) {
    this.stores = stores;
    this.quantity = quantity;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.create();
  }

  @Override
  public StrategyAnswer claim(String user) throws SQLException {
    String key = "lab:user:" + user;
    if (redis.sync().set(key, "1", SetArgs.Builder.nx().ex(USER_KEY_TIME)) == null) {
      return StrategyAnswer.ALREADY;
    }
    if (redis.sync().incr(COUNTER) > quantity) {
      redis.sync().del(key);
      return StrategyAnswer.SOLD_OUT;
    }
    if (!rows.insert(user)) {
      redis.sync().decr(COUNTER);
      return StrategyAnswer.ALREADY;
    }
    return StrategyAnswer.WON;
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
