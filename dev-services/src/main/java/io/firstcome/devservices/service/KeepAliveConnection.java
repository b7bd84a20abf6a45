package io.firstcome.devservices.service;

import io.firstcome.devservices.process.Ports;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/**
 * One keep-alive HTTP/1.1 connection to a service on loopback, for requests given as bytes. The
 * JDK's client needs several times as much processor time, which a load generator shares with the
 * service, and cannot disconnect between request and answer. Not thread-safe.
 */
public final class KeepAliveConnection implements AutoCloseable {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  /** Longer than the service delays any answer. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(40);

  private final Socket socket;
  private final InputStream in;
  private boolean reusable = true;

  private KeepAliveConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  public static KeepAliveConnection open(int port) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) ANSWER_LIMIT.toMillis());
      socket.connect(new InetSocketAddress(Ports.loopback(), port), (int) CONNECT_LIMIT.toMillis());
      return new KeepAliveConnection(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Whether another request can be sent; false after a failure or {@code Connection: close}. */
  public boolean isReusable() {
    return reusable;
  }

  /** Sends a complete request without waiting for its answer. */
  public void send(byte[] request) throws IOException {
    reusable = false;
    socket.getOutputStream().write(request);
  }

  /**
   * Sends a complete request and waits for its answer. A server may answer, and close the
   * connection, before it has read all of a request that is too large.
   */
  public HttpAnswer exchange(byte[] request) throws IOException {
    try {
      send(request);
    } catch (IOException unsent) {
      return receiveAfter(unsent);
    }
    return receive();
  }

  private HttpAnswer receiveAfter(IOException unsent) throws IOException {
    try {
      return receive();
    } catch (IOException e) {
      unsent.addSuppressed(e);
      throw unsent;
    }
  }

  private HttpAnswer receive() throws IOException {
    var answer = HttpAnswer.read(in);
    reusable = !answer.headers().getOrDefault("connection", "").equalsIgnoreCase("close");
    return answer;
  }

  @Override
  public void close() {
    reusable = false;
    try {
      socket.close();
    } catch (IOException e) {
      // The connection is not used again.
    }
  }
}
