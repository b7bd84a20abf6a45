package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.firstcome.devservices.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A proxy between a client and a server that simulates network faults. It forwards everything until
 * a fault is set, and each fault lasts until {@link #heal()}.
 *
 * <p>If the server is not running, a client of the proxy is connected and then reset, while the
 * server's own port would refuse it.
 */
public final class TcpProxy implements AutoCloseable {

  /** The two directions of a connection. */
  public enum Way {
    REQUESTS,
    REPLIES
  }

  /** How the bytes of one direction are treated. */
  private enum Treatment {
    PASS,
    /** Kept until the fault heals, as in a network outage. */
    HOLD,
    /** Read and discarded. */
    SWALLOW
  }

  private static final int BUFFER_BYTES = 65_536;
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

  private final InetSocketAddress server;
  private final int port;
  private final Set<ProxiedConnection> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong connections = new AtomicLong();
  private final Map<Way, AtomicLong> passedBytes = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Way, Treatment> treatments = new EnumMap<>(Way.class);
  private @Nullable ServerSocket listener;

  private volatile Duration latency = Duration.ZERO;
  private volatile Duration closeDelay = Duration.ZERO;
  private volatile Supplier<Predicate<String>> trigger = TcpProxy::never;

  private TcpProxy(InetSocketAddress server) {
    this.server = server;
    this.port = Ports.free();
    for (Way way : Way.values()) {
      treatments.put(way, Treatment.PASS);
    }
  }

  /** A proxy for the server at that address, on a free port of loopback. */
  public static TcpProxy to(String host, int port) {
    TcpProxy proxy = new TcpProxy(new InetSocketAddress(host, port));
    proxy.listen();
    return proxy;
  }

  /** The port for clients. */
  public int port() {
    return port;
  }

  /** The number of accepted connections so far. */
  public long connections() {
    return connections.get();
  }

  /** The number of open connections. */
  public int openConnections() {
    return open.size();
  }

  /** The number of forwarded bytes so far. */
  public long passedBytes(Way way) {
    return count(way).get();
  }

  /** Delays both directions, by this time up to twice this time. */
  public void delay(Duration by) {
    latency = by;
  }

  /** Delays the end of a connection to the other side by this time. */
  public void closeSlowly(Duration by) {
    closeDelay = by;
  }

  /** Holds all bytes of that direction back; they arrive when the fault heals. */
  public void hold(Way way) {
    treat(way, Treatment.HOLD);
  }

  /**
   * Cuts both directions, as if a cable was unplugged; bytes on their way arrive when the fault
   * heals.
   */
  public void cut() {
    hold(Way.REQUESTS);
    hold(Way.REPLIES);
  }

  /**
   * Discards all bytes of that direction. A connection that has lost some is reset when the fault
   * heals, as a TCP stream cannot continue after a gap.
   */
  public void swallow(Way way) {
    treat(way, Treatment.SWALLOW);
  }

  /**
   * Discards all replies from the moment at which a request passes for which the condition of its
   * connection holds.
   *
   * @param condition makes the condition of a connection, which is given all that is read from the
   *     client from now on, as ISO-8859-1
   */
  public void swallowRepliesFrom(Supplier<Predicate<String>> condition) {
    trigger = condition;
  }

  private static Predicate<String> never() {
    return TcpProxy::holdsNever;
  }

  private static boolean holdsNever(String request) {
    return false;
  }

  /** Whether replies are being discarded. */
  public boolean isSwallowing() {
    lock.lock();
    try {
      return treatments.get(Way.REPLIES) == Treatment.SWALLOW;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Discards everything of the connections that are open now, in both directions, as a firewall
   * that has lost its state. New connections work.
   */
  public void dropOpen() {
    open.forEach(ProxiedConnection::drop);
  }

  /** Ends all connections with a RST to both sides. New ones are accepted. */
  public void reset() {
    open.forEach(ProxiedConnection::reset);
  }

  /** Ends all connections with a RST and refuses new ones. */
  public void refuse() {
    lock.lock();
    try {
      closeListener();
    } finally {
      lock.unlock();
    }
    Await.until(CONNECT_LIMIT, "the proxy refuses connections", this::isRefusing);
    reset();
  }

  /**
   * Tries to connect: a listener that is closed while a thread accepts from it still accepts
   * clients for a moment.
   */
  private boolean isRefusing() {
    try (Socket _ = new Socket(Ports.loopback(), port)) {
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      // Accepted, then reset when the listener was closed.
      return false;
    }
  }

  /** Ends all faults. */
  public void heal() {
    latency = Duration.ZERO;
    closeDelay = Duration.ZERO;
    trigger = TcpProxy::never;
    for (Way way : Way.values()) {
      treat(way, Treatment.PASS);
    }
    open.stream().filter(ProxiedConnection::hasGap).forEach(ProxiedConnection::reset);
    listen();
  }

  @Override
  public void close() {
    refuse();
    for (Way way : Way.values()) {
      treat(way, Treatment.PASS);
    }
  }

  private void treat(Way way, Treatment treatment) {
    lock.lock();
    try {
      treatments.put(way, treatment);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits while that direction is held, then returns whether its bytes are forwarded. */
  private boolean isPassedOn(Way way) {
    lock.lock();
    try {
      while (treatments.get(way) == Treatment.HOLD) {
        changed.awaitUninterruptibly();
      }
      return treatments.get(way) == Treatment.PASS;
    } finally {
      lock.unlock();
    }
  }

  private AtomicLong count(Way way) {
    return passedBytes.computeIfAbsent(way, _ -> new AtomicLong());
  }

  private void listen() {
    lock.lock();
    try {
      if (listener == null) {
        ServerSocket made = new ServerSocket();
        made.setReuseAddress(true);
        made.bind(new InetSocketAddress(Ports.loopback(), port));
        listener = made;
        Thread.ofVirtual().start(() -> acceptAll(made));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on " + port, e);
    } finally {
      lock.unlock();
    }
  }

  private void closeListener() {
    try {
      if (listener != null) {
        listener.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      listener = null;
    }
  }

  private void acceptAll(ServerSocket from) {
    while (!from.isClosed()) {
      try {
        Socket client = from.accept();
        connections.incrementAndGet();
        ProxiedConnection connection = new ProxiedConnection(client, new Socket());
        if (isTaken(connection, from)) {
          Thread.ofVirtual().start(() -> connect(connection));
        } else {
          connection.reset();
        }
      } catch (IOException e) {
        // The listener was closed, which the loop checks, or the client has disconnected.
      }
    }
  }

  /**
   * Registers the connection, so that {@link #refuse} resets it; false if that has already begun.
   */
  private boolean isTaken(ProxiedConnection connection, ServerSocket from) {
    lock.lock();
    try {
      return !from.isClosed() && open.add(connection);
    } finally {
      lock.unlock();
    }
  }

  private void connect(ProxiedConnection connection) {
    try {
      connection.toServer.connect(server, (int) CONNECT_LIMIT.toMillis());
      connection.toClient.setTcpNoDelay(true);
      connection.toServer.setTcpNoDelay(true);
      Thread.ofVirtual()
          .start(() -> connection.pump(Way.REPLIES, connection.toServer, connection.toClient));
      connection.pump(Way.REQUESTS, connection.toClient, connection.toServer);
    } catch (IOException e) {
      connection.reset();
    }
  }

  /** One client's connection and the connection to the server behind it. */
  private final class ProxiedConnection {

    private final Socket toClient;
    private final Socket toServer;
    private volatile boolean gap;
    private volatile boolean dropped;

    /** The trigger that made the condition; both are used by the thread of requests only. */
    private Supplier<Predicate<String>> conditionOf = TcpProxy::never;

    private Predicate<String> condition = never();

    ProxiedConnection(Socket toClient, Socket toServer) {
      this.toClient = toClient;
      this.toServer = toServer;
    }

    boolean hasGap() {
      return gap;
    }

    void drop() {
      dropped = true;
    }

    void pump(Way way, Socket from, Socket to) {
      try {
        if (passAll(way, from, to) && mayPass(way, Duration.ZERO)) {
          end(to);
        }
      } catch (IOException e) {
        // One side has closed it; the other side is reset as soon as bytes may pass.
        if (mayPass(way, Duration.ZERO)) {
          reset();
        }
      }
    }

    /** Forwards until the end of that direction; returns whether nothing was lost. */
    private boolean passAll(Way way, Socket from, Socket to) throws IOException {
      byte[] buffer = new byte[BUFFER_BYTES];
      boolean whole = true;
      for (int n = from.getInputStream().read(buffer);
          n >= 0;
          n = from.getInputStream().read(buffer)) {
        whole = mayPass(way, latency) && whole;
        if (way == Way.REQUESTS) {
          checkForTrigger(new String(buffer, 0, n, ISO_8859_1));
        }
        if (whole) {
          count(way).addAndGet(n);
          to.getOutputStream().write(buffer, 0, n);
        }
      }
      Await.pause(closeDelay);
      return whole;
    }

    private void checkForTrigger(String request) {
      var current = trigger;
      if (!current.equals(conditionOf)) {
        conditionOf = current;
        condition = current.get();
      }
      if (condition.test(request)) {
        swallow(Way.REPLIES);
      }
    }

    private boolean mayPass(Way way, Duration notBefore) {
      Await.pause(notBefore);
      boolean passes = isPassedOn(way) && !dropped;
      gap |= !passes;
      return passes;
    }

    /** Forwards the end of one direction; closes the connection after the end of both. */
    private void end(Socket to) throws IOException {
      to.shutdownOutput();
      if (toClient.isOutputShutdown() && toServer.isOutputShutdown()) {
        close();
      }
    }

    void reset() {
      try {
        toClient.setSoLinger(true, 0);
        toServer.setSoLinger(true, 0);
      } catch (IOException e) {
        // Already closed.
      }
      close();
    }

    private void close() {
      open.remove(this);
      try (toClient;
          toServer) {
        // Closes both, even if the first one fails.
      } catch (IOException e) {
        // The sockets are not used any more.
      }
    }
  }
}
