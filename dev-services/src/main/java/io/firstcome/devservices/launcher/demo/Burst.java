package io.firstcome.devservices.launcher.demo;

import io.firstcome.devservices.launcher.terminal.LauncherException;
import io.firstcome.devservices.service.HttpAnswer;
import io.firstcome.devservices.service.KeepAliveConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One request for each of many users, sent as fast as possible over a bounded number of
 * connections, and repeated until the answer is final.
 */
final class Burst {

  /**
   * Enough to keep the service busy; further requests wait in the client, not in the service's
   * memory.
   */
  static final int CONNECTIONS_MAX = 512;

  /**
   * Below the usual backlog of a listening socket, so that no connect is dropped and retransmitted.
   */
  private static final int CONNECTING_MAX = 64;

  /** With the pauses, the retries of a request last for half a minute. */
  private static final int TRIES_MAX = 30;

  private static final Duration PAUSE_MAX = Duration.ofSeconds(2);
  private static final Duration PAUSE_MIN = Duration.ofMillis(100);
  private static final Duration BURST_LIMIT = Duration.ofMinutes(10);
  private static final Duration PROGRESS_INTERVAL = Duration.ofMillis(100);
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;

  private final int port;
  private final int users;
  private final IntFunction<byte[]> request;
  private final Answers answers;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final Semaphore connecting = new Semaphore(CONNECTING_MAX);

  /** What becomes of the requests. Its methods are called concurrently. */
  interface Answers {

    /**
     * The final answer to a request.
     *
     * @param user from 0
     * @param mayBeRepeat whether an earlier try of the same request got no answer, or one that left
     *     the outcome open
     * @param nanos from the first try to the answer
     */
    void answered(int user, HttpAnswer answer, boolean mayBeRepeat, long nanos);

    /** A request had no final answer in all its tries. */
    void failed(int user, String reason);
  }

  /**
   * A burst that has not begun.
   *
   * @param request the complete request of a user, from 0; idempotent, as it is repeated
   */
  Burst(int port, int users, IntFunction<byte[]> request, Answers answers) {
    this.port = port;
    this.users = users;
    this.request = request;
    this.answers = answers;
  }

  /**
   * Connects, then sends all requests.
   *
   * @param progress receives the number of answers at intervals
   * @return the time from the first request to the last answer, in nanoseconds
   */
  long run(IntConsumer progress) {
    int workers = Math.min(CONNECTIONS_MAX, users);
    CountDownLatch connected = new CountDownLatch(workers);
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(workers);
    try {
      for (int i = 0; i < workers; i++) {
        Thread.ofVirtual().start(() -> work(connected, go, done));
      }
      connected.await();
      long from = System.nanoTime();
      go.countDown();
      while (!done.await(PROGRESS_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        progress.accept(ended.get());
        if (System.nanoTime() - from > BURST_LIMIT.toNanos()) {
          throw new LauncherException("some requests were not answered within " + BURST_LIMIT);
        }
      }
      return System.nanoTime() - from;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted during the burst", e);
    }
  }

  private void work(CountDownLatch connected, CountDownLatch go, CountDownLatch done) {
    try (Line line = new Line()) {
      line.tryToConnect();
      connected.countDown();
      go.await();
      for (int i = next.getAndIncrement(); i < users; i = next.getAndIncrement()) {
        send(line, i);
        ended.incrementAndGet();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      done.countDown();
    }
  }

  private void send(Line line, int user) throws InterruptedException {
    byte[] bytes = request.apply(user);
    long from = System.nanoTime();
    String refusal = "";
    for (int tries = 1; tries <= TRIES_MAX; tries++) {
      try {
        HttpAnswer answer = line.connection().exchange(bytes);
        if (answer.status() != UNAVAILABLE && answer.status() != TOO_MANY_REQUESTS) {
          answers.answered(user, answer, tries > 1, System.nanoTime() - from);
          return;
        }
        refusal = "%d %s".formatted(answer.status(), answer.body());
        Thread.sleep(pause(retryAfter(answer)));
      } catch (IOException | NumberFormatException e) {
        refusal = e.toString();
        line.close();
        Thread.sleep(PAUSE_MIN);
      }
    }
    answers.failed(user, refusal);
  }

  private static Duration retryAfter(HttpAnswer answer) {
    return Duration.ofSeconds(Long.parseLong(answer.headers().getOrDefault("retry-after", "0")));
  }

  private static Duration pause(Duration requested) {
    if (requested.compareTo(PAUSE_MIN) < 0) {
      return PAUSE_MIN;
    }
    return requested.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : requested;
  }

  /** One worker's connection, reopened after a failure. Not thread-safe. */
  private final class Line implements AutoCloseable {

    private @Nullable KeepAliveConnection open;

    KeepAliveConnection connection() throws IOException, InterruptedException {
      KeepAliveConnection current = open;
      if (current != null && current.isReusable()) {
        return current;
      }
      close();
      connecting.acquire();
      try {
        KeepAliveConnection made = KeepAliveConnection.open(port);
        open = made;
        return made;
      } finally {
        connecting.release();
      }
    }

    /** Connects before the measurement starts; a failure is retried with the first request. */
    void tryToConnect() throws InterruptedException {
      try {
        connection();
      } catch (IOException e) {
        close();
      }
    }

    @Override
    public void close() {
      KeepAliveConnection current = open;
      open = null;
      if (current != null) {
        current.close();
      }
    }
  }
}
