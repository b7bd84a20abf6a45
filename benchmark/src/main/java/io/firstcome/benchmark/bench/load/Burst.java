package io.firstcome.benchmark.bench.load;

import io.firstcome.devservices.HttpLine;
import io.firstcome.devservices.KeptAliveConnection.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Many users who claim a coupon once, all at the same time: most of a sell-out. */
public record Burst(int port, String path, int users) {

  private static final int CONNECTIONS = 256;
  private static final int OK = 200;
  private static final int ACCEPTED = 202;
  private static final int REFUSED = 409;
  private static final int UNAVAILABLE = 503;

  /** A claim may always be repeated; this rides out three seconds of a service that is too busy. */
  private static final int TRIES_MAX = 30;

  private static final Duration PAUSE = Duration.ofMillis(100);

  /**
   * What came of it.
   *
   * @param lastAcceptedNanos when the last accepted one was answered, by {@link System#nanoTime()}
   */
  public record Answers(int accepted, long lastAcceptedNanos) {}

  /**
   * Sends all of them and waits for their answers.
   *
   * @param prefix what the ids of the users begin with
   * @throws IllegalStateException if one was neither accepted nor sold out
   */
  public Answers run(String prefix) {
    var next = new AtomicInteger();
    var accepted = new AtomicInteger();
    var lastAccepted = new AtomicLong(Long.MIN_VALUE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> senders =
          IntStream.range(0, Math.min(CONNECTIONS, users))
              .<Future<?>>mapToObj(
                  i -> threads.submit(() -> send(prefix, next, accepted, lastAccepted)))
              .toList();
      for (Future<?> sender : senders) {
        sender.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a claim failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted under load", e);
    }
    return new Answers(accepted.get(), lastAccepted.get());
  }

  private Void send(
      String prefix, AtomicInteger next, AtomicInteger accepted, AtomicLong lastAccepted)
      throws IOException, InterruptedException {
    HttpLine line = HttpLine.open(port, path, "");
    try {
      for (int i = next.getAndIncrement(); i < users; i = next.getAndIncrement()) {
        Answer answer = line.post(prefix + i);
        for (int tries = 1; answer.status() == UNAVAILABLE && tries < TRIES_MAX; tries++) {
          Thread.sleep(PAUSE);
          if (!line.isReusable()) {
            line.close();
            line = HttpLine.open(port, path, "");
          }
          answer = line.post(prefix + i);
        }
        count(answer, accepted, lastAccepted);
      }
    } finally {
      line.close();
    }
    return null;
  }

  /** Who asked again may hear that the first claim was taken. */
  private static void count(Answer answer, AtomicInteger accepted, AtomicLong lastAccepted) {
    switch (answer.status()) {
      case ACCEPTED, OK -> {
        long now = System.nanoTime();
        accepted.incrementAndGet();
        lastAccepted.accumulateAndGet(now, Math::max);
      }
      case REFUSED -> {
        // Sold out.
      }
      default ->
          throw new IllegalStateException(
              "a claim was answered %d: %s".formatted(answer.status(), answer.body()));
    }
  }
}
