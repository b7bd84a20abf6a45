package io.firstcome.benchmark.lab.strategy;

import io.firstcome.benchmark.rig.BoundedWait;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One Lua script that decides, and Redis Pub/Sub to a subscriber, which writes the rows in batches.
 * The caller waits for the reply to PUBLISH.
 *
 * <p>Right: as {@link FireAndForget}, and the caller knows that the server got the message. Wrong:
 * Pub/Sub stores nothing. Messages that the subscriber had not written before it died, and messages
 * published while it was not connected, are lost.
 */
final class PubSubHandOff implements Strategy {

  private static final String CHANNEL = "lab:wins";
  private static final int WAITING_MAX = 100_000;
  private static final int WRITTEN_AT_ONCE = 500;
  private static final Duration WRITE_WAIT = Duration.ofMillis(200);

  /** Pub/Sub does not report messages in flight: after this time without one, none is expected. */
  private static final Duration QUIET = Duration.ofSeconds(3);

  private final Stores stores;
  private final Rows rows;
  private final RedisCalls redis;
  private final CounterAndSet counterAndSet;
  private final BlockingQueue<String> received = new ArrayBlockingQueue<>(WAITING_MAX);
  private final AtomicInteger unwritten = new AtomicInteger();
  private volatile long lastReceivedNanos = System.nanoTime();
  private @Nullable Background writer;

  PubSubHandOff(Stores stores, int quantity) {
    this.stores = stores;
    this.rows = new Rows(stores);
    this.redis = new RedisCalls(stores);
    this.counterAndSet = new CounterAndSet(redis, quantity);
  }

  @Override
  public void prepare() throws SQLException {
    stores.emptyRedis();
    rows.create();
  }

  @Override
  public void start() {
    var subscription = redis.connectPubSub();
    subscription.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String channel, String user) {
            lastReceivedNanos = System.nanoTime();
            if (received.offer(user)) {
              unwritten.incrementAndGet();
            }
          }
        });
    subscription.sync().subscribe(CHANNEL);
    writer = new Background("writes wins to the database", this::write);
  }

  private void write() throws SQLException, InterruptedException {
    var first = received.poll(WRITE_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    if (first == null) {
      return;
    }
    var users = new ArrayList<String>();
    users.add(first);
    received.drainTo(users, WRITTEN_AT_ONCE - 1);
    rows.write(users);
    unwritten.addAndGet(-users.size());
  }

  @Override
  public StrategyAnswer claim(String user) {
    var answer = counterAndSet.claim(user);
    if (answer == StrategyAnswer.WON) {
      redis.sync().publish(CHANNEL, user);
    }
    return answer;
  }

  @Override
  public void settle(Duration within) throws InterruptedException {
    BoundedWait.until(
        within,
        () -> unwritten.get() == 0 && System.nanoTime() - lastReceivedNanos > QUIET.toNanos(),
        "the subscriber did not become idle");
  }

  @Override
  public List<String> owners() throws SQLException {
    return rows.owners();
  }

  @Override
  public void close() {
    if (writer != null) {
      writer.close();
    }
    redis.close();
    rows.close();
  }
}
