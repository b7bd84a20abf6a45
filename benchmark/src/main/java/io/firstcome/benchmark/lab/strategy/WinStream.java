package io.firstcome.benchmark.lab.strategy;

import io.firstcome.benchmark.rig.Waiting;
import io.lettuce.core.Consumer;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.sync.RedisCommands;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * A stream of wins in Redis and its one consumer, which writes rows and only then deletes what it
 * read. A consumer that starts anew goes on with what the one before had read and not deleted.
 */
final class WinStream implements AutoCloseable {

  static final String KEY = "lab:wins";
  static final String USER = "user";

  private static final String GROUP = "recorders";
  private static final Consumer<String> CONSUMER = Consumer.from(GROUP, "recorder");
  private static final int READ_AT_ONCE = 500;
  private static final Duration READ_WAIT = Duration.ofMillis(200);

  private final RedisCalls redis;
  private final Rows rows;
  private final RedisCommands<String, String> own;
  private final Background consumer;
  private boolean leftOversDone;

  /** Starts the consumer. */
  WinStream(RedisCalls redis, Rows rows) {
    this.redis = redis;
    this.rows = rows;
    // Its calls wait at the server, and would hold up whatever shares their connection.
    this.own = redis.connect().sync();
    makeGroup();
    this.consumer = new Background("writes wins to the database", this::move);
  }

  private void makeGroup() {
    try {
      redis
          .sync()
          .xgroupCreate(StreamOffset.from(KEY, "0"), GROUP, XGroupCreateArgs.Builder.mkstream());
    } catch (RedisBusyException e) {
      // It is there.
    } catch (RedisCommandExecutionException e) {
      if (!Objects.requireNonNullElse(e.getMessage(), "").startsWith("BUSYGROUP")) {
        throw e;
      }
    }
  }

  private void move() throws SQLException {
    boolean onlyNew = leftOversDone;
    // A round that fails leaves what it has read behind, for the next one.
    leftOversDone = false;
    var messages = read(onlyNew ? StreamOffset.lastConsumed(KEY) : StreamOffset.from(KEY, "0"));
    if (!messages.isEmpty()) {
      rows.insertAll(messages.stream().map(message -> message.getBody().get(USER)).toList());
      remove(messages.stream().map(StreamMessage::getId).toArray(String[]::new));
    }
    leftOversDone = onlyNew || messages.isEmpty();
  }

  /** Together, or an entry could stay that no consumer is ever given again. */
  private void remove(String[] ids) {
    own.multi();
    own.xack(KEY, GROUP, ids);
    own.xdel(KEY, ids);
    own.exec();
  }

  @SuppressWarnings("unchecked") // An array of one offset, which the call itself makes.
  private List<StreamMessage<String, String>> read(StreamOffset<String> from) {
    return own.xreadgroup(CONSUMER, XReadArgs.Builder.count(READ_AT_ONCE).block(READ_WAIT), from);
  }

  /** Waits until all of it is rows. */
  void settle(Duration within) throws InterruptedException {
    Waiting.until(within, () -> redis.sync().xlen(KEY) == 0, "the stream did not drain");
  }

  @Override
  public void close() {
    consumer.close();
  }
}
