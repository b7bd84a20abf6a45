package io.firstcome.devservices.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.firstcome.devservices.process.Ports;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One keep-alive HTTP/1.1 connection to a service on loopback, for requests given as bytes. The
 * JDK's client needs several times as much processor time, which a load generator shares with the
 * service, and cannot disconnect between request and answer. Not thread-safe.
 */
public final class KeepAliveConnection implements AutoCloseable {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  /** Longer than the service delays any answer. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(40);

  private static final int BODY_BYTES_MAX = 1_000_000;
  private static final int LINE_BYTES_MAX = 16_384;

  private final Socket socket;
  private final InputStream in;
  private boolean reusable = true;

  /**
   * An answer of the service.
   *
   * @param headers by header name in lower case
   */
  public record Answer(int status, Map<String, String> headers, String body) {}

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
  public Answer exchange(byte[] request) throws IOException {
    try {
      send(request);
    } catch (IOException unsent) {
      return receiveAfter(unsent);
    }
    return receive();
  }

  private Answer receiveAfter(IOException unsent) throws IOException {
    try {
      return receive();
    } catch (IOException e) {
      unsent.addSuppressed(e);
      throw unsent;
    }
  }

  private Answer receive() throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    Map<String, String> headers = new HashMap<>();
    for (String header = line(); !header.isEmpty(); header = line()) {
      int colon = header.indexOf(':');
      headers.put(
          header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).strip());
    }
    boolean chunked = headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked");
    byte[] body =
        chunked ? chunks() : bytes(Long.parseLong(headers.getOrDefault("content-length", "0")));
    reusable = !headers.getOrDefault("connection", "").equalsIgnoreCase("close");
    return new Answer(status, headers, new String(body, UTF_8));
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (long size = chunkSize(); size > 0; size = chunkSize()) {
      body.writeBytes(bytes(size));
      line();
    }
    line();
    return body.toByteArray();
  }

  private long chunkSize() throws IOException {
    return Long.parseLong(line().strip(), 16);
  }

  private byte[] bytes(long length) throws IOException {
    if (length > BODY_BYTES_MAX) {
      throw new IOException("answer too long: %d bytes".formatted(length));
    }
    byte[] bytes = in.readNBytes((int) length);
    if (bytes.length < length) {
      throw new EOFException("the connection ended inside an answer");
    }
    return bytes;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0 || line.size() > LINE_BYTES_MAX) {
        throw new EOFException("the connection ended inside an answer");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(ISO_8859_1);
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
