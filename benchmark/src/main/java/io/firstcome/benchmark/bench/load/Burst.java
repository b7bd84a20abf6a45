package io.firstcome.benchmark.bench.load;

import io.firstcome.devservices.service.HttpAnswer;
import io.firstcome.devservices.service.HttpLine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;

/**
 * Many users who claim a coupon once, or join its waiting room, all at the same time: the main load
 * of a sell-out.
 */
public record Burst(int port, String path, int users) {

  private static final int CONNECTIONS = 256;
  private static final int OK = 200;
  private static final int ACCEPTED = 202;
  private static final int REFUSED = 409;
  private static final int UNAVAILABLE = 503;

  /**
   * Attempts for each claim, which is idempotent: enough for a service that is busy for three
   * seconds.
   */
  private static final int TRIES_MAX = 30;

  private static final Duration PAUSE = Duration.ofMillis(100);

  /**
   * The result of a burst.
   *
   * @param lastAcceptedNanos when the last accepted claim was answered, by {@link
   *     System#nanoTime()}
   */
  public record Answers(int accepted, long lastAcceptedNanos) {}

  /**
   * Sends all claims and waits for their answers.
   *
   * @param prefix of the user ids
   * @throws IllegalStateException if a claim was neither accepted nor refused as sold out
   */
  public Answers run(String prefix) {
    return run(prefix, (answer, user) -> {});
  }

  /**
   * The same, for requests whose answers are needed.
   *
   * @param seen receives each successful answer with the number of its user
   */
  public Answers run(String prefix, ObjIntConsumer<HttpAnswer> seen) {
    var next = new AtomicInteger();
    var accepted = new AtomicInteger();
    var lastAccepted = new AtomicLong(Long.MIN_VALUE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> senders =
          IntStream.range(0, Math.min(CONNECTIONS, users))
              .<Future<?>>mapToObj(
                  i -> threads.submit(() -> send(prefix, seen, next, accepted, lastAccepted)))
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
      String prefix,
      ObjIntConsumer<HttpAnswer> seen,
      AtomicInteger next,
      AtomicInteger accepted,
      AtomicLong lastAccepted)
      throws IOException, InterruptedException {
    HttpLine line = HttpLine.open(port, path, "");
    try {
      for (int i = next.getAndIncrement(); i < users; i = next.getAndIncrement()) {
        HttpAnswer answer = line.post(prefix + i);
        for (int tries = 1; answer.status() == UNAVAILABLE && tries < TRIES_MAX; tries++) {
          Thread.sleep(PAUSE);
          if (!line.isReusable()) {
            line.close();
            line = HttpLine.open(port, path, "");
          }
          answer = line.post(prefix + i);
        }
        if (count(answer, accepted, lastAccepted)) {
          seen.accept(answer, i);
        }
      }
    } finally {
      line.close();
    }
    return null;
  }

  /**
   * Counts an answer, and returns whether it is a success. A retry is answered with 200 if an
   * earlier attempt was accepted.
   */
  private static boolean count(HttpAnswer answer, AtomicInteger accepted, AtomicLong lastAccepted) {
    return switch (answer.status()) {
      case ACCEPTED, OK -> {
        long now = System.nanoTime();
        accepted.incrementAndGet();
        lastAccepted.accumulateAndGet(now, Math::max);
        yield true;
      }
      // Sold out.
      case REFUSED -> false;
      default ->
          throw new IllegalStateException(
              "a claim was answered with %d: %s".formatted(answer.status(), answer.body()));
    };
  }
}
