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
 * As published: the caller checks with SISMEMBER whether the user has won, and then a Lua script
 * adds the user to the set if {@code SCARD <= quantity}; the caller inserts the winner's row after
 * the script.
 *
 * <p>Right: the size is compared and the user added atomically, so the number of members does not
 * depend on concurrency. Wrong: with {@code <=} the set gets one member too many ({@code
 * PublishedFaultsIT#one_more_than_the_quantity_is_issued}); two concurrent claims of one user both
 * pass the check outside the script, and both win ({@code
 * PublishedFaultsIT#two_claims_of_one_user_at_once_both_win}); a win whose row is not written is
 * lost ({@code PublishedFaultsIT#a_win_is_lost_if_its_row_is_not_written}).
 */
final class SetCheckedOutside implements Strategy {

  private static final String USERS = "lab:users";
  private static final String[] KEYS = {USERS};

  private final Stores stores;
  private final String quantity;
  private final Rows rows;
  private final RedisCalls redis;
  private final Script script;

  SetCheckedOutside(Stores stores, int quantity) {
    this.stores = stores;
    this.quantity = Integer.toString(quantity);
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
    this.script = redis.script(SetCheckedOutside.class, "set_checked_outside");
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.createWithoutConstraint();
  }

  @Override
  public StrategyAnswer claim(String user) throws SQLException {
    if (redis.sync().sismember(USERS, user)) {
      return StrategyAnswer.ALREADY;
    }
    var answer = redis.decide(script, KEYS, user, quantity);
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
