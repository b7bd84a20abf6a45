package io.firstcome.benchmark.lab.published;

import io.firstcome.benchmark.lab.strategy.RedisCalls;
import io.firstcome.benchmark.lab.strategy.RedisCalls.Script;
import io.firstcome.benchmark.lab.strategy.Rows;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.benchmark.lab.strategy.Strategy;
import io.firstcome.benchmark.lab.strategy.StrategyAnswer;
import java.sql.SQLException;
import java.util.List;

/**
 * As published: one Lua script reads the field {@code remaining} of the coupon's hash, adds the
 * user with HSETNX, and decrements the field; the caller inserts the winner's row after the script.
 *
 * <p>Right: the script is atomic, so while nothing fails it is exact, also for concurrent claims of
 * one user. Wrong: Redis and the database are written one after the other, so a win whose row is
 * not written is lost, and each retry is answered "already won" ({@code
 * PublishedFaultsIT#a_win_is_lost_if_its_row_is_not_written}); the quantity is checked before the
 * user, so a winner who asks again at the end is answered "sold out" ({@code
 * PublishedFaultsIT#a_winner_who_asks_again_is_answered_sold_out}).
 */
final class RemainingInHash implements Strategy {

  private static final String COUPON = "lab:coupon";
  private static final String USERS = "lab:users";
  private static final String REMAINING = "remaining";
  private static final String[] KEYS = {COUPON, USERS};

  private final Stores stores;
  private final int quantity;
  private final Rows rows;
  private final RedisCalls redis;
  private final Script script;

  RemainingInHash(Stores stores, int quantity) {
    this.stores = stores;
    this.quantity = quantity;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
    this.script = redis.script(RemainingInHash.class, "remaining_in_hash");
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.createWithoutConstraint();
    redis.sync().hset(COUPON, REMAINING, Integer.toString(quantity));
  }

  @Override
  public StrategyAnswer claim(String user) throws SQLException {
    var answer = redis.decide(script, KEYS, user);
    if (answer == StrategyAnswer.WON) {
      var _ = rows.insert(user);
    }
    return answer;
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
