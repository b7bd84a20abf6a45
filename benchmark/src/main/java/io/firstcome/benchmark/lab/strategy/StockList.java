package io.firstcome.benchmark.lab.strategy;

import io.firstcome.benchmark.rig.Waiting;
import io.lettuce.core.ScanArgs;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The pieces as a list in Redis, the users as a set, and a hash of who took which piece, which a
 * job moves to the database in batches.
 *
 * <p>Right: LPOP hands a piece to exactly one caller, and the database sees large batches and no
 * waiting caller. Wrong: it is three calls. A process that dies between LPOP and HSET has a piece
 * that is in no structure any more; its user is in the set and is told "you have it" for ever.
 */
final class StockList implements Strategy {

  private static final String USERS = "lab:users";
  private static final String STOCK = "lab:stock";
  private static final String ISSUED = "lab:issued";

  private static final int PUSHED_AT_ONCE = 1_000;
  private static final int MOVED_AT_ONCE = 500;
  private static final Duration MOVE_EVERY = Duration.ofMillis(50);

  private final Stores stores;
  private final int pieces;
  private final Rows rows;
  private final RedisCalls redis;
  private @Nullable Background job;

  StockList(Stores stores, int pieces) {
    this.stores = stores;
    this.pieces = pieces;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.create();
    var batch = new ArrayList<String>(PUSHED_AT_ONCE);
    for (int piece = 1; piece <= pieces; piece++) {
      batch.add(String.format(Locale.ROOT, "piece-%d", piece));
      if (batch.size() == PUSHED_AT_ONCE || piece == pieces) {
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
    rows.insertAll(users);
    redis.sync().hdel(ISSUED, users.toArray(String[]::new));
  }

  @Override
  public Answer claim(String user) {
    if (redis.sync().sadd(USERS, user) == 0) {
      return Answer.ALREADY;
    }
    String piece = redis.sync().lpop(STOCK);
    if (piece == null) {
      redis.sync().srem(USERS, user);
      return Answer.SOLD_OUT;
    }
    redis.sync().hset(ISSUED, user, piece);
    return Answer.WON;
  }

  @Override
  public void settle(Duration within) throws InterruptedException {
    Waiting.until(within, () -> redis.sync().hlen(ISSUED) == 0, "wins were not moved");
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
