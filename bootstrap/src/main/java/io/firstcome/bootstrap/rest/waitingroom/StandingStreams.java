package io.firstcome.bootstrap.rest.waitingroom;

import io.firstcome.application.waitingroom.ReadRoom.Standing;
import io.firstcome.bootstrap.load.Permit;
import io.firstcome.bootstrap.metric.Metric;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.wiring.HttpLimits;
import io.firstcome.bootstrap.wiring.MaxConnections;
import io.firstcome.bootstrap.wiring.WithRedis;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.ServerUnavailableException;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends users their standing in a waiting room as it changes, as server-sent events. Each stream
 * has the virtual thread of its request, so a client that does not read its stream blocks nothing
 * else. Above the limit clients have to poll.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">Server-sent
 *     events</a>
 */
@Component
@WithRedis
class StandingStreams implements SmartLifecycle {

  /** How often a standing is read, which needs no call to another server. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** Shorter than the time after which proxies close a connection that carries nothing. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(15);

  /** After it the stream ends, and the client connects again: to another instance, maybe. */
  private static final Duration LONGEST_UNKNOWN = Duration.ofSeconds(10);

  /** A user who waits long sees an event after each part of the wait. */
  private static final int EVENTS_PER_WAIT = 20;

  /** The client connects again after it: so its credentials are checked, and the load is spread. */
  private static final Duration LONGEST_STREAM = Duration.ofMinutes(5);

  /** The browser tabs of one person. */
  private static final int MOST_OF_USER = 4;

  private static final int SHORTEST_RETRY_MILLIS = 1_000;
  private static final int LONGEST_RETRY_MILLIS = 5_000;

  private final int most;
  private final JsonMapper mapper;
  private final AtomicInteger open = new AtomicInteger();
  private final ConcurrentHashMap<UserId, Integer> ofUsers = new ConcurrentHashMap<>();
  private volatile boolean isRunning;

  StandingStreams(
      HttpLimits limits, MaxConnections connections, JsonMapper mapper, MeterRegistry metrics) {
    this.most = Math.min(limits.standingStreams(), connections.streams());
    this.mapper = mapper;
    Metric.ROOM_STREAMS.gauge(metrics, open, AtomicInteger::get);
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
    if (ofUsers.merge(user, 1, Integer::sum) > MOST_OF_USER) {
      end(user);
      throw Problem.tooMany(
          "You have as many streams as you can have. Read your standing instead.", LOOK_EVERY);
    }
    try {
      if (open.incrementAndGet() > most) {
        throw Problem.overloaded(LOOK_EVERY);
      }
      Permit.release(request);
      response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
      response.setCharacterEncoding(StandardCharsets.UTF_8);
      // Otherwise nginx would keep events back.
      response.setHeader("X-Accel-Buffering", "no");
      send(first, next, response);
    } catch (IOException | ServerUnavailableException e) {
      // The client is gone or does not read, or a server is away. The client connects again.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.decrementAndGet();
      end(user);
    }
  }

  private void end(UserId user) {
    ofUsers.computeIfPresent(user, (_, number) -> number == 1 ? null : number - 1);
  }

  private void send(Standing.Known first, Supplier<Standing> next, HttpServletResponse response)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    write("retry: " + retryMillis() + "\n", response);
    var sent = first;
    long sentAt = begun;
    long knownAt = begun;
    write(event(first), response);
    while (isRunning && !isLast(sent) && since(begun).compareTo(LONGEST_STREAM) < 0) {
      Thread.sleep(LOOK_EVERY);
      switch (next.get()) {
        case Standing.Known standing -> {
          knownAt = System.nanoTime();
          if (isDue(sent, standing, since(sentAt))) {
            write(event(standing), response);
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

  private String event(Standing.Known standing) {
    return "event: standing\ndata: "
        + mapper.writeValueAsString(StandingJson.of(standing))
        + "\n\n";
  }

  private static void write(String text, HttpServletResponse response) throws IOException {
    response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    response.flushBuffer();
  }

  /** Clients whose streams end at the same time do not connect again at the same time. */
  private static int retryMillis() {
    return ThreadLocalRandom.current().nextInt(SHORTEST_RETRY_MILLIS, LONGEST_RETRY_MILLIS);
  }

  @Override
  public void start() {
    isRunning = true;
  }

  /** Ends all streams within a second, so that the web server can stop. */
  @Override
  public void stop() {
    isRunning = false;
  }

  @Override
  public boolean isRunning() {
    return isRunning;
  }

  /** Stops before the web server, which waits for its requests. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE;
  }
}
