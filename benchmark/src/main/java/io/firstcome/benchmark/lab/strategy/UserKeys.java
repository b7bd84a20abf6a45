package io.firstcome.benchmark.lab.strategy;

import io.lettuce.core.SetArgs;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * A counter in Redis, and against asking twice a key a user that ends after five minutes; the
 * winner's row is inserted before the answer.
 *
 * <p>Right: INCR gives every caller another number, so there is no number N+1 to win with. Wrong: a
 * process that dies between INCR and the row takes the piece with it; its user is told "you have
 * it" until the key ends, and after that only the unique index remembers who had one.
 */
final class UserKeys implements Strategy {

  private static final String COUNTER = "lab:given";
  private static final Duration USER_KEY_TIME = Duration.ofMinutes(5);

  private final Stores stores;
  private final int pieces;
  private final Rows rows;
  private final RedisCalls redis;

  UserKeys(Stores stores, int pieces) {
    this.stores = stores;
    this.pieces = pieces;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.create();
  }

  @Override
  public Answer claim(String user) throws SQLException {
    String key = "lab:user:" + user;
    if (redis.sync().set(key, "1", SetArgs.Builder.nx().ex(USER_KEY_TIME)) == null) {
      return Answer.ALREADY;
    }
    if (redis.sync().incr(COUNTER) > pieces) {
      redis.sync().del(key);
      return Answer.SOLD_OUT;
    }
    if (!rows.insert(user)) {
      redis.sync().decr(COUNTER);
      return Answer.ALREADY;
    }
    return Answer.WON;
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
