package io.firstcome.benchmark.bench.load;

import io.firstcome.devservices.service.HttpLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;

/**
 * Requests at a fixed rate, independent of the service's response time.
 *
 * <p>A latency is counted from the moment when the request was due. If the service stalls, requests
 * that could not be sent meanwhile count as waiting, as their users would: there is no coordinated
 * omission to correct.
 *
 * <p>One thread has all connections, since the client shares the processors with the service: with
 * a virtual thread for each, the 99th percentile of claims at half of the peak rate was 25 ms in
 * one run, and 16 ms in the next one, which had this client. Connections take turns, so that the
 * service does not close an idle one.
 *
 * @param connections more than are busy at a time at this rate, unless the service is too slow
 */
public record OpenLoop(int port, double perSecond, Duration time, int connections) {

  private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(2);
  private static final int DIGITS = 3;

  /** The time between opening the connections and the first request. */
  private static final Duration LEAD = Duration.ofMillis(300);

  /**
   * The client sleeps for this time while a request is due soon; latencies may be longer by this
   * time.
   */
  private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /** Longer than the service delays any answer. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(40);

  private static final int LEAST_FAILURE = 300;
  private static final Set<Integer> REFUSALS = Set.of(429, 503);
  private static final String END = "\r\n\r\n";

  /**
   * The answers to all requests.
   *
   * @param accepted latencies of answers with 2xx, in microseconds
   * @param refused latencies of answers with 429 and 503, in microseconds
   * @param time from the first request that was due to the last answer
   */
  public record Answers(Histogram accepted, Histogram refused, Duration time) {

    /**
     * Latencies in microseconds.
     *
     * @throws IllegalStateException if a request was refused
     */
    public Histogram requireAllAccepted() {
      if (refused.getTotalCount() > 0) {
        throw new IllegalStateException("%d requests refused".formatted(refused.getTotalCount()));
      }
      return accepted;
    }

    public double acceptedPerSecond() {
      return accepted.getTotalCount() * 1e9 / time.toNanos();
    }
  }

  /**
   * The same request of a new user each time, as {@link HttpLine} sends it.
   *
   * @param headers complete header lines for each request, or empty
   * @param prefix of the user ids
   */
  public static LongFunction<String> ofUsers(int port, String path, String headers, String prefix) {
    String head = HttpLine.head(port, path, headers) + prefix;
    return number -> head + number + END;
  }

  /**
   * Sends all requests and waits for their answers.
   *
   * @param request the whole request with this number, from 0
   * @throws IllegalStateException if a request was answered with anything but 2xx, 429 or 503
   */
  public Answers run(LongFunction<String> request) {
    try (Selector selector = Selector.open()) {
      try {
        Deque<PolledLine> lines = new ArrayDeque<>();
        for (int i = 0; i < connections; i++) {
          lines.add(PolledLine.open(port, selector));
        }
        return run(request, selector, lines);
      } finally {
        selector.keys().forEach(key -> close((PolledLine) key.attachment()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a request of the load failed", e);
    }
  }

  private Answers run(LongFunction<String> request, Selector selector, Deque<PolledLine> idle)
      throws IOException {
    var accepted = new Histogram(HIGHEST_MICROS, DIGITS);
    var refused = new Histogram(HIGHEST_MICROS, DIGITS);
    long requests = Math.max(1, Math.round(perSecond * time.toNanos() / 1e9));
    double intervalNanos = 1e9 / perSecond;
    long first = System.nanoTime() + LEAD.toNanos();
    long sent = 0;
    while (accepted.getTotalCount() + refused.getTotalCount() < requests) {
      long due = first + (long) (sent * intervalNanos);
      boolean canSend = sent < requests && !idle.isEmpty();
      if (canSend && due <= System.nanoTime()) {
        idle.removeFirst().send(request.apply(sent), due);
        sent++;
        continue;
      }
      boolean any = await(selector, canSend ? due - System.nanoTime() : ANSWER_LIMIT.toNanos());
      if (!any && !canSend) {
        throw new IllegalStateException("the service does not answer");
      }
      for (SelectionKey key : selector.selectedKeys()) {
        PolledLine line = (PolledLine) key.attachment();
        int status = status(line);
        if (status > 0) {
          var micros = REFUSALS.contains(status) ? refused : accepted;
          micros.recordValue(microsSince(line.dueNanos()));
          idle.addLast(reusable(line, selector));
        }
      }
      selector.selectedKeys().clear();
    }
    return new Answers(accepted, refused, Duration.ofNanos(System.nanoTime() - first));
  }

  /** Waits for an answer for about this time; returns whether there is one. */
  private static boolean await(Selector selector, long nanos) throws IOException {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    if (millis > 0) {
      return selector.select(millis) > 0;
    }
    LockSupport.parkNanos(Math.min(nanos, NAP_NANOS));
    return selector.selectNow() > 0;
  }

  /** The connection, or a new one if the server closes it, as Tomcat does after 503. */
  private PolledLine reusable(PolledLine line, Selector selector) throws IOException {
    if (line.isReusable()) {
      return line;
    }
    line.close();
    return PolledLine.open(port, selector);
  }

  /** The status of the answer, or 0 while it is incomplete. */
  private static int status(PolledLine line) throws IOException {
    int status = line.receive();
    if (status >= LEAST_FAILURE && !REFUSALS.contains(status)) {
      throw new IllegalStateException("the service answered " + line.said());
    }
    return status;
  }

  private static long microsSince(long nanos) {
    return Math.min(HIGHEST_MICROS, TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - nanos));
  }

  private static void close(PolledLine line) {
    try {
      line.close();
    } catch (IOException e) {
      // The connection is not needed any more.
    }
  }
}
