package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.util.List;

/**
 * A set of users in Redis whose size is the count: SADD, then SCARD, and out again with who came
 * too late; the winner's row is inserted before the answer.
 *
 * <p>Right: one structure knows both who and how many, and adding before counting cannot
 * over-issue. Wrong: it is two or three calls. Callers who add together at the end all count too
 * many and may all be sent away with pieces left; a process that dies between two calls leaves a
 * user in the set without a row, and their piece is lost.
 */
final class UserSet implements Strategy {

  private static final String USERS = "lab:users";

  private final Stores stores;
  private final int pieces;
  private final Rows rows;
  private final RedisCalls redis;

  UserSet(Stores stores, int pieces) {
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
    if (redis.sync().sadd(USERS, user) == 0) {
      return Answer.ALREADY;
    }
    if (redis.sync().scard(USERS) > pieces) {
      redis.sync().srem(USERS, user);
      return Answer.SOLD_OUT;
    }
    return rows.insert(user) ? Answer.WON : Answer.ALREADY;
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
