package io.firstcome.benchmark.lab.strategy;

import io.firstcome.benchmark.rig.BoundedWait;
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
 * A stream of wins in Redis and its single consumer, which writes rows and then deletes the
 * entries. A new consumer continues with the entries that the previous one read and did not delete.
 */
final class WinStream implements AutoCloseable {

  static final String KEY = "lab:wins";
  static final String USER = "user";

  private static final String GROUP = "recorders";
  private static final Consumer<String> CONSUMER = Consumer.from(GROUP, "recorder");
  private static final int READ_AT_ONCE = 500;
  private static final Duration READ_WAIT = Duration.ofMillis(200);

  private final RedisCalls redis;
  private final WinRows rows;
  private final RedisCommands<String, String> own;
  private final Background consumer;
  private boolean pendingDone;

  /** Starts the consumer. */
  WinStream(RedisCalls redis, WinRows rows) {
    this.redis = redis;
    this.rows = rows;
    // Its calls block at the server, and would delay other calls on the same connection.
    this.own = redis.connect().sync();
    createGroup();
    this.consumer = new Background("writes wins to the database", this::move);
  }

  private void createGroup() {
    try {
      redis
          .sync()
          .xgroupCreate(StreamOffset.from(KEY, "0"), GROUP, XGroupCreateArgs.Builder.mkstream());
    } catch (RedisBusyException e) {
      // The group exists.
    } catch (RedisCommandExecutionException e) {
      if (!Objects.requireNonNullElse(e.getMessage(), "").startsWith("BUSYGROUP")) {
        throw e;
      }
    }
  }

  private void move() throws SQLException {
    boolean onlyNew = pendingDone;
    // After a failed round, the next one reads its pending entries.
    pendingDone = false;
    var messages = read(onlyNew ? StreamOffset.lastConsumed(KEY) : StreamOffset.from(KEY, "0"));
    if (!messages.isEmpty()) {
      rows.write(messages.stream().map(message -> message.getBody().get(USER)).toList());
      remove(messages.stream().map(StreamMessage::getId).toArray(String[]::new));
    }
    pendingDone = onlyNew || messages.isEmpty();
  }

  /** Acknowledges and deletes atomically: an acknowledged entry is never delivered again. */
  private void remove(String[] ids) {
    own.multi();
    own.xack(KEY, GROUP, ids);
    own.xdel(KEY, ids);
    own.exec();
  }

  @SuppressWarnings("unchecked") // The call creates an array of one offset.
  private List<StreamMessage<String, String>> read(StreamOffset<String> from) {
    return own.xreadgroup(CONSUMER, XReadArgs.Builder.count(READ_AT_ONCE).block(READ_WAIT), from);
  }

  /** Waits until all entries are rows. */
  void settle(Duration within) throws InterruptedException {
    BoundedWait.until(within, () -> redis.sync().xlen(KEY) == 0, "the stream did not drain");
  }

  @Override
  public void close() {
    consumer.close();
  }
}
