package io.firstcome.benchmark.lab.strategy;

import io.firstcome.benchmark.rig.BoundedWait;
import io.lettuce.core.ScanArgs;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The slots as a list in Redis, the users as a set, and a hash from user to slot, which a job moves
 * to the database in batches.
 *
 * <p>Right: LPOP returns a slot to exactly one caller, and the database has large batches and no
 * waiting callers. Wrong: it is three calls. If a process dies between LPOP and HSET, the slot is
 * in no structure any more; its user is in the set, and each retry is answered "already won".
 */
final class StockList implements Strategy {

  private static final String USERS = "lab:users";
  private static final String STOCK = "lab:stock";
  private static final String ISSUED = "lab:issued";

  private static final int PUSHED_AT_ONCE = 1_000;
  private static final int MOVED_AT_ONCE = 500;
  private static final Duration MOVE_EVERY = Duration.ofMillis(50);

  private final Stores stores;
  private final int quantity;
  private final Rows rows;
  private final RedisCalls redis;
  private @Nullable Background job;

  StockList(Stores stores, int quantity) {
    this.stores = stores;
    this.quantity = quantity;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.create();
    var batch = new ArrayList<String>(PUSHED_AT_ONCE);
    for (int slot = 1; slot <= quantity; slot++) {
      batch.add(String.format(Locale.ROOT, "piece-%d", slot));
      if (batch.size() == PUSHED_AT_ONCE || slot == quantity) {
        redis.sync().rpush(STOCK, batch.toArray(String[]::new));
        batch.clear();
      }
    }
  }

  @Override
  public void start() {
    job = new Background("moves wins to the database", this::move);
  }

  private void move() throws SQLException, InterruptedException {
    var page = redis.sync().hscan(ISSUED, ScanArgs.Builder.limit(MOVED_AT_ONCE));
    var users = List.copyOf(page.getMap().keySet());
    if (users.isEmpty()) {
      Thread.sleep(MOVE_EVERY);
      return;
    }
    rows.write(users);
    redis.sync().hdel(ISSUED, users.toArray(String[]::new));
  }

  @Override
  public StrategyAnswer claim(String user) {
    if (redis.sync().sadd(USERS, user) == 0) {
      return StrategyAnswer.ALREADY;
    }
    String slot = redis.sync().lpop(STOCK);
    if (slot == null) {
      redis.sync().srem(USERS, user);
      return StrategyAnswer.SOLD_OUT;
    }
    redis.sync().hset(ISSUED, user, slot);
    return StrategyAnswer.WON;
  }

  @Override
  public void settle(Duration within) throws InterruptedException {
    BoundedWait.until(
        within, () -> redis.sync().hlen(ISSUED) == 0, "not all wins were moved to the database");
  }

  @Override
  public List<String> owners() throws SQLException {
    return rows.owners();
  }

  @Override
  public void close() {
    if (job != null) {
      job.close();
    }
    redis.close();
    rows.close();
  }
}
