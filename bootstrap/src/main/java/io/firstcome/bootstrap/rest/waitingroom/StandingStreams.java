package io.firstcome.bootstrap.rest.waitingroom;

import io.firstcome.application.waitingroom.ReadRoom.Standing;
import io.firstcome.bootstrap.metric.Metric;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.stream.EventStream;
import io.firstcome.bootstrap.stream.EventStreams;
import io.firstcome.bootstrap.stream.StreamLifecycle;
import io.firstcome.bootstrap.wiring.HttpLimits;
import io.firstcome.bootstrap.wiring.MaxConnections;
import io.firstcome.bootstrap.wiring.WithRedis;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.ServerUnavailableException;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends users their standing in a waiting room as it changes, as server-sent events. A standing is
 * read every second, which needs no call to another server. Above the limit clients have to poll.
 */
@Component
@WithRedis
class StandingStreams {

  /** Shorter than the time after which proxies close a connection that carries nothing. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(15);

  /** After it the stream ends, and the client connects again: to another instance, maybe. */
  private static final Duration LONGEST_UNKNOWN = Duration.ofSeconds(10);

  /** A user who waits long sees an event after each part of the wait. */
  private static final int EVENTS_PER_WAIT = 20;

  /** The browser tabs of one person. */
  private static final int MOST_OF_USER = 4;

  private static final int SHORTEST_RETRY_MILLIS = 1_000;
  private static final int LONGEST_RETRY_MILLIS = 5_000;

  private final JsonMapper mapper;
  private final EventStreams streams;

  StandingStreams(
      HttpLimits limits,
      MaxConnections connections,
      JsonMapper mapper,
      MeterRegistry metrics,
      StreamLifecycle lifecycle) {
    this.mapper = mapper;
    this.streams =
        new EventStreams(
            Math.min(limits.standingStreams(), connections.streams()),
            MOST_OF_USER,
            "You have as many streams as you can have. Read your standing instead.",
            lifecycle);
    Metric.ROOM_STREAMS.gauge(metrics, streams, EventStreams::open);
  }

  /**
   * Sends events until the user is served, the coupon has ended, the client is gone, or for some
   * minutes.
   *
   * @param first what the first event tells
   * @param next reads what later events tell
   * @throws Problem {@code too-many-requests} or {@code overloaded} if there are too many streams
   */
  void send(
      UserId user,
      Standing.Known first,
      Supplier<Standing> next,
      HttpServletRequest request,
      HttpServletResponse response) {
    streams.send(
        user,
        request,
        response,
        stream -> {
          try {
            send(first, next, stream);
          } catch (ServerUnavailableException e) {
            // A server is away; the client connects again.
          }
        });
  }

  private void send(Standing.Known first, Supplier<Standing> next, EventStream stream)
      throws IOException, InterruptedException {
    stream.retryAfter(retry());
    var sent = first;
    long sentAt = System.nanoTime();
    long knownAt = sentAt;
    send(first, stream);
    while (!isLast(sent) && stream.awaitNext()) {
      switch (next.get()) {
        case Standing.Known standing -> {
          knownAt = System.nanoTime();
          if (isDue(sent, standing, since(sentAt))) {
            send(standing, stream);
            sent = standing;
            sentAt = System.nanoTime();
          }
        }
        case Standing.Recovering() -> {
          if (since(knownAt).compareTo(LONGEST_UNKNOWN) >= 0) {
            return;
          }
        }
        case Standing.NoRoom(), Standing.InvalidTicket() -> {
          return;
        }
      }
    }
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  /** What changes slowly is sent rarely. */
  private static boolean isDue(Standing.Known sent, Standing.Known now, Duration since) {
    if (!sent.getClass().equals(now.getClass()) || sent.phase() != now.phase()) {
      return true;
    }
    var interval =
        now instanceof Standing.Pending pending && pending.estimate() != null
            ? pending.estimate().atLeast().dividedBy(EVENTS_PER_WAIT)
            : LONGEST_SILENCE;
    return since.compareTo(interval.compareTo(LONGEST_SILENCE) < 0 ? interval : LONGEST_SILENCE)
        >= 0;
  }

  private static boolean isLast(Standing.Known standing) {
    return !(standing instanceof Standing.Pending);
  }

  private void send(Standing.Known standing, EventStream stream) throws IOException {
    stream.send("standing", mapper.writeValueAsString(StandingJson.of(standing)));
  }

  /** Clients whose streams end at the same time do not connect again at the same time. */
  private static Duration retry() {
    return Duration.ofMillis(
        ThreadLocalRandom.current().nextInt(SHORTEST_RETRY_MILLIS, LONGEST_RETRY_MILLIS));
  }
}
