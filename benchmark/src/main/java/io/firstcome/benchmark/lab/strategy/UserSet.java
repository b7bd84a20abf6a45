package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.util.List;

/**
 * A set of users in Redis whose size is the count: SADD, then SCARD, and SREM if the count is too
 * high; the winner's row is inserted before the answer.
 *
 * <p>Right: one structure has both the users and their number, and adding before counting cannot
 * over-issue. Wrong: it is two or three calls. Callers that add concurrently at the end all read
 * too high a count, and may all be refused although slots are left; a process that dies between two
 * calls leaves a user in the set without a row, and the slot is lost.
 */
final class UserSet implements Strategy {

  private static final String USERS = "lab:users";

  private final Stores stores;
  private final int quantity;
  private final Rows rows;
  private final RedisCalls redis;

  UserSet(Stores stores, int quantity) {
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
    if (redis.sync().sadd(USERS, user) == 0) {
      return StrategyAnswer.ALREADY;
    }
    if (redis.sync().scard(USERS) > quantity) {
      redis.sync().srem(USERS, user);
      return StrategyAnswer.SOLD_OUT;
    }
    return rows.insert(user) ? StrategyAnswer.WON : StrategyAnswer.ALREADY;
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
