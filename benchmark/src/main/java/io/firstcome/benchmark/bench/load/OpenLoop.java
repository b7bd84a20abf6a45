package io.firstcome.benchmark.bench.load;

import io.firstcome.devservices.HttpLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Requests at a fixed rate, whatever the service takes for them, each of a user of its own.
 *
 * <p>A latency is counted from the moment the request was meant to leave. Where the service stalls,
 * the requests that could not leave meanwhile count as waiting, as their users would; so nothing is
 * omitted by the client's own waiting, and nothing has to be corrected afterwards.
 *
 * <p>One thread has all connections, since the client shares the processors with the service: with
 * a virtual thread for each, the 99th percentile of claims at half of the peak rate was 25 ms in
 * one run, and 16 ms in the next one, which had this client. Connections take turns, so that the
 * service does not end one for having been idle.
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

  /** As long as the client sleeps while a request is soon due; a latency may be longer by that. */
  private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /** Longer than the service holds any answer back. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(40);

  private static final int LEAST_FAILURE = 300;
  private static final String END = "\r\n\r\n";

  /**
   * Sends all of them and waits for their answers.
   *
   * @param users what the ids of the users begin with
   * @return latencies in microseconds
   * @throws IllegalStateException if one was not answered by a 2xx
   */
  public Histogram run(String users) {
    List<PolledLine> lines = new ArrayList<>();
    try (Selector selector = Selector.open()) {
      for (int i = 0; i < connections; i++) {
        lines.add(PolledLine.open(port, selector));
      }
      return run(users, selector, new ArrayDeque<>(lines));
    } catch (IOException e) {
      throw new UncheckedIOException("a request to %s failed".formatted(path), e);
    } finally {
      lines.forEach(OpenLoop::close);
    }
  }

  private Histogram run(String users, Selector selector, Deque<PolledLine> idle)
      throws IOException {
    var micros = new Histogram(HIGHEST_MICROS, DIGITS);
    String head = HttpLine.head(port, path, headers) + users;
    long requests = Math.max(1, Math.round(perSecond * time.toNanos() / 1e9));
    double intervalNanos = 1e9 / perSecond;
    long first = System.nanoTime() + LEAD.toNanos();
    long sent = 0;
    while (micros.getTotalCount() < requests) {
      long due = first + (long) (sent * intervalNanos);
      boolean canSend = sent < requests && !idle.isEmpty();
      if (canSend && due <= System.nanoTime()) {
        idle.removeFirst().send(head + sent + END, due);
        sent++;
        continue;
      }
      boolean any = await(selector, canSend ? due - System.nanoTime() : ANSWER_LIMIT.toNanos());
      if (!any && !canSend) {
        throw new IllegalStateException("%s does not answer".formatted(path));
      }
      for (SelectionKey key : selector.selectedKeys()) {
        PolledLine line = (PolledLine) key.attachment();
        if (isAnswered(line)) {
          micros.recordValue(microsSince(line.dueNanos()));
          idle.addLast(line);
        }
      }
      selector.selectedKeys().clear();
    }
    return micros;
  }

  /** Sleeps until something comes, or a little longer; but not much longer than the time. */
  private static boolean await(Selector selector, long nanos) throws IOException {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    if (millis > 0) {
      return selector.select(millis) > 0;
    }
    LockSupport.parkNanos(Math.min(nanos, NAP_NANOS));
    return selector.selectNow() > 0;
  }

  private boolean isAnswered(PolledLine line) throws IOException {
    int status = line.receive();
    if (status >= LEAST_FAILURE) {
      throw new IllegalStateException("%s answered %s".formatted(path, line.said()));
    }
    return status > 0;
  }

  private static long microsSince(long nanos) {
    return Math.min(HIGHEST_MICROS, TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - nanos));
  }

  private static void close(PolledLine line) {
    try {
      line.close();
    } catch (IOException e) {
      // It was of no use any more either way.
    }
  }
}
