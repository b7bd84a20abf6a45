package io.firstcome.bootstrap.stream;

import io.firstcome.bootstrap.load.InProgress;
import io.firstcome.bootstrap.load.Permit;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.domain.issuance.UserId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.MediaType;

/**
 * Streams of server-sent events of one kind. Each stream blocks the virtual thread of its request,
 * so a client that does not read its stream blocks nothing else. Their number is limited, in all
 * and for each user.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">Server-sent
 *     events</a>
 */
public final class EventStreams {

  private final int most;
  private final String tooMany;
  private final StreamLifecycle lifecycle;
  private final AtomicInteger open = new AtomicInteger();
  private final InProgress<UserId> ofUsers;

  /** Sends the events of a stream, and returns at its end. */
  @FunctionalInterface
  public interface Events {

    /**
     * Called once.
     *
     * @throws IOException if the client is gone or does not read
     */
    void sendTo(EventStream stream) throws IOException, InterruptedException;
  }

  /**
   * @param most how many there may be at a time
   * @param mostOfUser how many one user may have
   * @param tooMany what a user is answered who has that many
   */
  public EventStreams(int most, int mostOfUser, String tooMany, StreamLifecycle lifecycle) {
    this.most = most;
    this.ofUsers = new InProgress<>(mostOfUser);
    this.tooMany = tooMany;
    this.lifecycle = lifecycle;
  }

  /** How many there are at this moment. */
  public int open() {
    return open.get();
  }

  /**
   * Sends the events. Returns when all are sent, or the client is gone.
   *
   * @throws Problem {@code too-many-requests} or {@code overloaded} if there are too many streams
   */
  public void send(
      UserId user, HttpServletRequest request, HttpServletResponse response, Events events) {
    if (!ofUsers.begin(user)) {
      throw Problem.tooMany(tooMany, EventStream.EVERY);
    }
    int all = open.incrementAndGet();
    try {
      if (all > most) {
        throw Problem.overloaded(EventStream.EVERY);
      }
      Permit.release(request);
      response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
      response.setCharacterEncoding(StandardCharsets.UTF_8);
      // Otherwise nginx would keep events back.
      response.setHeader("X-Accel-Buffering", "no");
      events.sendTo(new EventStream(response, lifecycle::isRunning));
    } catch (IOException e) {
      // The client is gone or does not read; it connects again.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.decrementAndGet();
      ofUsers.end(user);
    }
  }
}
