package io.firstcome.bootstrap.connector;

import io.firstcome.bootstrap.connector.ReapedProtocol.TlsChannel;
import io.firstcome.bootstrap.operation.Loop;
import io.firstcome.bootstrap.operation.WorkInLoops;
import io.firstcome.bootstrap.wiring.HttpLimits;
import io.firstcome.domain.observation.IssuanceObserver;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.coyote.Processor;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.springframework.stereotype.Component;

/**
 * Closes the connections of clients that are slow to send a request or to receive its answer, and
 * idle ones when few are left. Tomcat's own timeouts are for each read and write, so that a client
 * which sends or receives one byte at a time can keep a connection, with its buffers, for hours.
 *
 * <p>While Tomcat handles an event of a connection it holds the connection's lock. So a connection
 * whose lock is free, and which Tomcat's poller observes, waits for its client: within the head of
 * a request if it has a processor, else before the next request or, with TLS, within the handshake
 * or the record in which the next request begins. If the poller does not observe it, an event waits
 * for a thread, as on a busy machine: that is not the client's fault. The thread of a request waits
 * for its client while it reads the body ({@link BodyFilter}), while Tomcat skips the rest of a
 * refused body, and while it writes.
 */
@Component
class ConnectionReaper extends WorkInLoops {

  private static final Duration EVERY = Duration.ofMillis(100);

  /** No connection is closed sooner, however many are open. */
  private static final Duration GRACE = Duration.ofMillis(250);

  /** Idle connections are closed if more than this share of the maximum is open. */
  private static final double NEARLY_ALL = 0.9;

  /** So many are closed that this share stays open. */
  private static final double LEFT_OPEN = 0.6;

  private final BodyReads bodies;
  private final Downloads downloads;
  private final HttpLimits limits;
  private final List<ReapedProtocol> connectors = new CopyOnWriteArrayList<>();

  /** Since when connections wait for what Tomcat has no time of, as of the last round. */
  private Map<Known, Long> sinceNanos = new HashMap<>();

  /** What a connection waits for. */
  private enum Wait {
    HEAD,
    BODY,
    TRANSFER,
    TLS,
    NEXT_REQUEST;

    /** Whether a request is incomplete, or its answer is not received. */
    boolean isWithinRequest() {
      return this == HEAD || this == BODY || this == TRANSFER;
    }
  }

  /** A connection that was seen to wait. */
  private record Known(SocketWrapperBase<?> connection, Wait reason) {}

  /** A connection that waits for its client. */
  private record Waiting(SocketWrapperBase<?> connection, Wait reason, Duration age) {

    private static final Comparator<Waiting> OLDEST_FIRST =
        Comparator.comparing(Waiting::age).reversed();

    boolean isOlderThan(Duration limit) {
      return age.compareTo(limit) > 0;
    }
  }

  ConnectionReaper(
      BodyReads bodies, Downloads downloads, HttpLimits limits, IssuanceObserver observer) {
    super(observer);
    this.bodies = bodies;
    this.downloads = downloads;
    this.limits = limits;
  }

  /** Includes the connections of a connector. */
  void watch(ReapedProtocol connector) {
    connectors.add(connector);
  }

  @Override
  protected List<Loop> loops() {
    return List.of(loop("closing slow connections", this::reapAll));
  }

  private Duration reapAll() {
    var round = new HashMap<Known, Long>();
    connectors.forEach(connector -> reap(connector, round));
    sinceNanos = round;
    return EVERY;
  }

  private void reap(ReapedProtocol connector, Map<Known, Long> round) {
    var incomplete = new ArrayList<Waiting>();
    var idle = new ArrayList<Waiting>();
    var connections = connector.connections();
    for (var connection : connections) {
      waiting(connection, round)
          .ifPresent(found -> (found.reason().isWithinRequest() ? incomplete : idle).add(found));
    }
    incomplete.stream().filter(one -> one.isOlderThan(limits.requestTime())).forEach(this::close);
    idle.stream()
        .filter(one -> one.reason() == Wait.TLS && one.isOlderThan(limits.requestTime()))
        .forEach(this::close);
    closeOldest(incomplete, incomplete.size() - limits.incompleteRequests());
    int max = connector.getMaxConnections();
    if (connections.size() > max * NEARLY_ALL) {
      closeOldest(idle, connections.size() - (int) (max * LEFT_OPEN));
    }
  }

  private void closeOldest(List<Waiting> candidates, int excess) {
    candidates.stream()
        .filter(one -> one.isOlderThan(GRACE))
        .sorted(Waiting.OLDEST_FIRST)
        .limit(Math.max(0, excess))
        .forEach(this::close);
  }

  /**
   * What the connection waits for; empty if its request is being handled.
   *
   * @param round gets the connection if Tomcat does not know since when it waits
   */
  private Optional<Waiting> waiting(SocketWrapperBase<?> connection, Map<Known, Long> round) {
    var bodySince = bodies.startNanos(connection);
    if (bodySince != null) {
      return Optional.of(new Waiting(connection, Wait.BODY, since(bodySince)));
    }
    if (!connection.getLock().tryLock()) {
      if (downloads.mayContinue(connection)) {
        return Optional.empty();
      }
      var known = new Known(connection, Wait.TRANSFER);
      if (isObserved(connection)) {
        return Optional.of(waitingSince(known, round));
      }
      if (sinceNanos.containsKey(known)) {
        // Between two bytes of a client that sends or receives them one at a time.
        var _ = waitingSince(known, round);
      }
      return Optional.empty();
    }
    try {
      if (!isObserved(connection)) {
        return Optional.empty();
      }
      if (connection.getCurrentProcessor() instanceof Processor processor) {
        long headSince = processor.getRequest().getStartTimeNanos();
        return processor.isAsync() || processor.isUpgrade() || headSince < 0
            ? Optional.empty()
            : Optional.of(new Waiting(connection, Wait.HEAD, since(headSince)));
      }
      if (connection.getSocket() instanceof TlsChannel tls && tls.isIncomplete()) {
        return Optional.of(waitingSince(new Known(connection, Wait.TLS), round));
      }
      return connection instanceof NioSocketWrapper socket
          ? Optional.of(new Waiting(connection, Wait.NEXT_REQUEST, idle(socket)))
          : Optional.empty();
    } finally {
      connection.getLock().unlock();
    }
  }

  /** Waits since the first of successive rounds, including this one, in which it was seen. */
  private Waiting waitingSince(Known known, Map<Known, Long> round) {
    long since = sinceNanos.getOrDefault(known, System.nanoTime());
    round.put(known, since);
    return new Waiting(known.connection(), known.reason(), since(since));
  }

  /** Whether the poller waits for the client to send or to receive. */
  private static boolean isObserved(SocketWrapperBase<?> connection) {
    return connection instanceof NioSocketWrapper socket
        && (socket.interestOps() & (SelectionKey.OP_READ | SelectionKey.OP_WRITE)) != 0;
  }

  /** Whether the client has sent something that was not read yet, as on a busy machine. */
  private static boolean hasSent(SocketWrapperBase<?> connection) {
    try {
      return connection instanceof NioSocketWrapper socket
          && socket.getSocket().getIOChannel().socket().getInputStream().available() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static Duration since(long startNanos) {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  private static Duration idle(NioSocketWrapper socket) {
    return Duration.ofMillis(System.currentTimeMillis() - socket.getLastRead());
  }

  /** Closes the connection if it still waits for its client. */
  private void close(Waiting waiting) {
    var connection = waiting.connection();
    if (waiting.reason() == Wait.BODY || waiting.reason() == Wait.TRANSFER) {
      if (bodies.startNanos(connection) != null || isObserved(connection)) {
        shutDown(connection);
      }
    } else if (connection.getLock().tryLock()) {
      try {
        if (isObserved(connection)
            && !(waiting.reason() == Wait.NEXT_REQUEST && hasSent(connection))) {
          connection.close();
        }
      } finally {
        connection.getLock().unlock();
      }
    }
  }

  /**
   * Ends the connection so that the thread of its request, which holds the lock, fails at once and
   * closes it. After a close that thread, with all buffers, would wait until the timeout of its
   * read or write.
   */
  private static void shutDown(SocketWrapperBase<?> connection) {
    if (connection instanceof NioSocketWrapper socket) {
      try {
        var channel = socket.getSocket().getIOChannel();
        channel.shutdownInput();
        channel.shutdownOutput();
      } catch (IOException e) {
        // It has ended already.
      }
    }
  }
}
