package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.firstcome.devservices.Ports;
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
import org.jspecify.annotations.Nullable;

/**
 * Stands between a client and a server and spoils their conversation as a network does. It passes
 * everything on until it is told otherwise, and each fault lasts until {@link #heal()}.
 *
 * <p>Where the server is away, a client of the proxy is connected and then reset, which a client of
 * the server itself would be refused.
 */
public final class TcpProxy implements AutoCloseable {

  /** The two directions of a connection. */
  public enum Way {
    REQUESTS,
    REPLIES
  }

  /** What becomes of the bytes of one direction. */
  private enum Treatment {
    PASS,
    /** Kept until later, as by a network that is away and comes back. */
    HOLD,
    /** Taken and thrown away. */
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
  private volatile String lastWord = "";

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

  /** Where to connect instead. */
  public int port() {
    return port;
  }

  /** How many connections were accepted so far. */
  public long connections() {
    return connections.get();
  }

  /** How many are open now. */
  public int openConnections() {
    return open.size();
  }

  /** How many bytes were passed on so far. */
  public long passedBytes(Way way) {
    return count(way).get();
  }

  /** Everything arrives later, in both directions: by that time to twice of it. */
  public void delay(Duration by) {
    latency = by;
  }

  /** The end of a connection is told to the other side only so much later. */
  public void closeSlowly(Duration by) {
    closeDelay = by;
  }

  /** Keeps all bytes of that direction back until it heals; they then arrive after all. */
  public void hold(Way way) {
    treat(way, Treatment.HOLD);
  }

  /** Cuts both directions, as if a cable was pulled: whatever was on its way arrives at healing. */
  public void cut() {
    hold(Way.REQUESTS);
    hold(Way.REPLIES);
  }

  /**
   * Loses all bytes of that direction. A connection that has lost some is reset when it heals: no
   * TCP stream goes on behind a gap.
   */
  public void swallow(Way way) {
    treat(way, Treatment.SWALLOW);
  }

  /** Loses all replies from the moment on at which a request with that word in it passes. */
  public void swallowRepliesFrom(String word) {
    lastWord = word;
  }

  /** Whether replies are being lost. */
  public boolean isSwallowing() {
    lock.lock();
    try {
      return treatments.get(Way.REPLIES) == Treatment.SWALLOW;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Loses everything of the connections that are open now, in both directions, as a firewall does
   * that has forgotten them. New ones pass.
   */
  public void forgetOpen() {
    open.forEach(ProxiedConnection::forget);
  }

  /** Ends all connections with a RST to both sides. New ones are taken. */
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
    Await.until(CONNECT_LIMIT, "the proxy refuses", this::isRefusing);
    reset();
  }

  /**
   * Asks the system: a listener that is closed while a thread accepts from it goes a moment later,
   * and takes clients until then.
   */
  private boolean isRefusing() {
    try (Socket _ = new Socket(Ports.loopback(), port)) {
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      // Taken, and reset as the listener went.
      return false;
    }
  }

  /** Passes everything on again, at once. */
  public void heal() {
    latency = Duration.ZERO;
    closeDelay = Duration.ZERO;
    lastWord = "";
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

  /** Waits while that direction is held. */
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
        // It was closed, which the loop sees, or one client has left already.
      }
    }
  }

  /** Whoever was accepted is among those whom a refusal ends, or is told here that it has begun. */
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

  /** One client's connection and its continuation to the server. */
  private final class ProxiedConnection {

    private final Socket toClient;
    private final Socket toServer;
    private volatile boolean gap;
    private volatile boolean forgotten;

    ProxiedConnection(Socket toClient, Socket toServer) {
      this.toClient = toClient;
      this.toServer = toServer;
    }

    boolean hasGap() {
      return gap;
    }

    void forget() {
      forgotten = true;
    }

    void pump(Way way, Socket from, Socket to) {
      try {
        if (passAll(way, from, to) && mayPass(way, Duration.ZERO)) {
          end(to);
        }
      } catch (IOException e) {
        // One side has broken it off; the other is told as soon as it can be.
        if (mayPass(way, Duration.ZERO)) {
          reset();
        }
      }
    }

    /** Until the end of that direction; whether nothing of it was lost. */
    private boolean passAll(Way way, Socket from, Socket to) throws IOException {
      byte[] buffer = new byte[BUFFER_BYTES];
      boolean whole = true;
      for (int n = from.getInputStream().read(buffer);
          n >= 0;
          n = from.getInputStream().read(buffer)) {
        whole = mayPass(way, latency) && whole;
        if (way == Way.REQUESTS) {
          listenForLastWord(new String(buffer, 0, n, ISO_8859_1));
        }
        if (whole) {
          count(way).addAndGet(n);
          to.getOutputStream().write(buffer, 0, n);
        }
      }
      Await.pause(closeDelay);
      return whole;
    }

    private void listenForLastWord(String request) {
      if (!lastWord.isEmpty() && request.contains(lastWord)) {
        swallow(Way.REPLIES);
      }
    }

    private boolean mayPass(Way way, Duration notBefore) {
      Await.pause(notBefore);
      boolean passes = isPassedOn(way) && !forgotten;
      gap |= !passes;
      return passes;
    }

    /** Passes the end of one direction on; with the end of both the connection is over. */
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
        // It is closed already.
      }
      close();
    }

    private void close() {
      open.remove(this);
      try (toClient;
          toServer) {
        // Both, whatever becomes of the first.
      } catch (IOException e) {
        // They are of no use any more either way.
      }
    }
  }
}
