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
 * As published: one Lua script checks a key of the user, increments a counter, and stores the key
 * with a time to live of 300 seconds; the caller inserts the winner's row after the script.
 *
 * <p>Right: the script is atomic, so no two callers get the same number, and concurrent claims of
 * one user win once. Wrong: only the key prevents a second win, and it expires ({@code
 * PublishedFaultsIT#a_user_whose_key_expired_wins_again}); a win whose row is not written is lost
 * ({@code PublishedFaultsIT#a_win_is_lost_if_its_row_is_not_written}).
 */
final class ExpiringUserKeys implements Strategy {

  private static final String COUNTER = "lab:given";
  private static final String USER_KEY_SECONDS = "300";

  private final Stores stores;
  private final String quantity;
  private final Rows rows;
  private final RedisCalls redis;
  private final Script script;

  ExpiringUserKeys(Stores stores, int quantity) {
    this.stores = stores;
    this.quantity = Integer.toString(quantity);
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
    this.script = redis.script(ExpiringUserKeys.class, "expiring_user_keys");
  }

  static String userKey(String user) {
    return "lab:user:" + user;
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.createWithoutConstraint();
  }

  @Override
  public StrategyAnswer claim(String user) throws SQLException {
    var answer =
        redis.decide(script, new String[] {userKey(user), COUNTER}, quantity, USER_KEY_SECONDS);
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
