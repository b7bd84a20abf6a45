package io.firstcome.benchmark.lab.published;

import io.firstcome.benchmark.lab.strategy.RedisCalls;
import io.firstcome.benchmark.lab.strategy.Rows;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.benchmark.lab.strategy.Strategy;
import io.firstcome.benchmark.lab.strategy.StrategyAnswer;
import java.sql.SQLException;
import java.util.List;

/**
 * As published: the caller reads the stock with GET, and sends DECR if it is positive; then it
 * inserts the winner's row. There is no script, and no check of the user.
 *
 * <p>Right: DECR itself is atomic, so the stock counts every winner, and is negative after too
 * many. Wrong: the reply to DECR is not checked, so callers that read the same positive stock all
 * win ({@code PublishedFaultsIT#two_callers_that_read_the_same_stock_both_win}); each claim of a
 * user wins again ({@code PublishedFaultsIT#a_user_wins_with_each_claim}).
 */
final class CheckThenDecrement implements Strategy {

  private static final String STOCK = "lab:stock";

  private final Stores stores;
  private final int quantity;
  private final Rows rows;
  private final RedisCalls redis;

  CheckThenDecrement(Stores stores, int quantity) {
    this.stores = stores;
    this.quantity = quantity;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.createWithoutConstraint();
    redis.sync().set(STOCK, Integer.toString(quantity));
  }

  @Override
  public StrategyAnswer claim(String user) throws SQLException {
    String stock = redis.sync().get(STOCK);
    if (stock == null || Long.parseLong(stock) <= 0) {
      return StrategyAnswer.SOLD_OUT;
    }
    redis.sync().decr(STOCK);
    var _ = rows.insert(user);
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
