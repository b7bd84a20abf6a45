package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * A hash a coupon in Redis with a field {@code remaining} that is counted down, and up again where
 * that was wrong; one row a user by the unique index, and the row is inserted before the answer.
 *
 * <p>Right: HINCRBY is atomic, so no piece is given twice. Wrong: taking and giving back are calls
 * of their own. A process that dies between them takes the piece with it, and in the time between
 * them others are told "sold out" of a piece that comes back.
 */
final class RemainingHash implements Strategy {

  private static final String COUPON = "lab:coupon";
  private static final String REMAINING = "remaining";

  private final Stores stores;
  private final int pieces;
  private final Rows rows;
  private final RedisCalls redis;

  RemainingHash(Stores stores, int pieces) {
    this.stores = stores;
    this.pieces = pieces;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.create();
    String total = Integer.toString(pieces);
    redis.sync().hset(COUPON, Map.of("total", total, REMAINING, total));
  }

  @Override
  public Answer claim(String user) throws SQLException {
    if (redis.sync().hincrby(COUPON, REMAINING, -1) < 0) {
      redis.sync().hincrby(COUPON, REMAINING, 1);
      return Answer.SOLD_OUT;
    }
    if (!rows.insert(user)) {
      redis.sync().hincrby(COUPON, REMAINING, 1);
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
