package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * A Redis hash per coupon with a field {@code remaining}, which is decremented, and incremented
 * again if that was wrong; a unique index allows one row per user, and the row is inserted before
 * the answer.
 *
 * <p>Right: HINCRBY is atomic, so no slot is allocated twice. Wrong: decrement and increment are
 * separate calls. A process that dies between them loses the slot, and between them other users are
 * answered "sold out" although the slot becomes free again.
 */
final class RemainingHash implements Strategy {

  private static final String COUPON = "lab:coupon";
  private static final String REMAINING = "remaining";

  private final Stores stores;
  private final int quantity;
  private final Rows rows;
  private final RedisCalls redis;

  RemainingHash(Stores stores, int quantity) {
    this.stores = stores;
    this.quantity = quantity;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.create();
    String total = Integer.toString(quantity);
    redis.sync().hset(COUPON, Map.of("total", total, REMAINING, total));
  }

  @Override
  public StrategyAnswer claim(String user) throws SQLException {
    if (redis.sync().hincrby(COUPON, REMAINING, -1) < 0) {
      redis.sync().hincrby(COUPON, REMAINING, 1);
      return StrategyAnswer.SOLD_OUT;
    }
    if (!rows.insert(user)) {
      redis.sync().hincrby(COUPON, REMAINING, 1);
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
