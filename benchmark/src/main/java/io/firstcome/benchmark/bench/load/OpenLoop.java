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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Requests at a fixed rate, whatever the service takes for them, each of a user of its own.
 *
 * <p>A latency is counted from the moment the request was meant to leave. Where the service stalls,
 * the requests that could not leave meanwhile count as waiting, as their users would; so nothing is
 * omitted by the client's own waiting, and nothing has to be corrected afterwards.
 *
 * @param connections more than are busy at a time at this rate, unless the service is too slow
 * @param headers whole lines for each request, or nothing
 */
public record OpenLoop(
    int port, String path, String headers, double perSecond, Duration time, int connections) {

  private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(2);
  private static final int DIGITS = 3;

  /** All connections are made before the first request is due. */
  private static final Duration LEAD = Duration.ofMillis(300);

  private static final int LEAST_FAILURE = 300;

  /**
   * Sends all of them and waits for their answers.
   *
   * @param users what the ids of the users begin with
   * @return latencies in microseconds
   * @throws IllegalStateException if one was not answered by a 2xx
   */
  public Histogram run(String users) {
    var micros = new ConcurrentHistogram(HIGHEST_MICROS, DIGITS);
    long requests = Math.max(1, Math.round(perSecond * time.toNanos() / 1e9));
    double intervalNanos = 1e9 / perSecond;
    long first = System.nanoTime() + LEAD.toNanos();
    var next = new AtomicLong();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> senders =
          IntStream.range(0, connections)
              .<Future<?>>mapToObj(i ->
                  threads.submit(() -> send(users, next, requests, first, intervalNanos, micros)))
              .toList();
      await(senders);
    }
    return micros;
  }

  private Void send(
      String users,
      AtomicLong next,
      long requests,
      long firstNanos,
      double intervalNanos,
      Histogram micros)
      throws IOException, InterruptedException {
    try (HttpLine line = HttpLine.open(port, path, headers)) {
      for (long i = next.getAndIncrement(); i < requests; i = next.getAndIncrement()) {
        long due = firstNanos + (long) (i * intervalNanos);
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        Answer answer = line.post(users + i);
        if (answer.status() >= LEAST_FAILURE) {
          throw new IllegalStateException(
              "%s answered %d: %s".formatted(path, answer.status(), answer.body()));
        }
        micros.recordValue(
            Math.min(HIGHEST_MICROS, TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - due)));
      }
    }
    return null;
  }

  private static void await(List<Future<?>> senders) {
    try {
      for (Future<?> sender : senders) {
        sender.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a request failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted under load", e);
    }
  }
}
