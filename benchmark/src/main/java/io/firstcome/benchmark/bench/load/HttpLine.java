package io.firstcome.benchmark.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.firstcome.devservices.Ports;
import io.firstcome.devservices.ServiceProcess;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Locale;

/**
 * One kept-alive HTTP/1.1 connection that POSTs without a body. The JDK's client would do, but
 * whoever makes the load shares the processors with the service, and that one takes several times
 * as much. For one thread.
 */
public final class HttpLine implements AutoCloseable {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
  private static final int BODY_BYTES_MAX = 1_000_000;
  private static final int HEAD_BYTES_MAX = 16_384;

  private final Socket socket;
  private final InputStream in;
  private final String head;
  private boolean ended;

  /** What the service said. */
  public record Answer(int status, String body) {}

  private HttpLine(Socket socket, String head) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
    this.head = head;
  }

  /**
   * Connects to a service on loopback.
   *
   * @param headers whole lines, or nothing
   */
  public static HttpLine open(int port, String path, String headers) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) ANSWER_LIMIT.toMillis());
      socket.connect(new InetSocketAddress(Ports.loopback(), port), (int) CONNECT_LIMIT.toMillis());
      String head =
          "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 0\r\n%s"
                  .formatted(path, port, headers)
              + "X-Gateway-Secret: %s\r\nX-User-Id: ".formatted(ServiceProcess.GATEWAY_SECRET);
      return new HttpLine(socket, head);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Whether the service has said that it closes the connection. */
  public boolean hasEnded() {
    return ended;
  }

  /** Sends one request of the user and waits for its answer. */
  public Answer post(String user) throws IOException {
    socket.getOutputStream().write((head + user + "\r\n\r\n").getBytes(ISO_8859_1));
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    int length = 0;
    boolean chunked = false;
    for (String header = line(); !header.isEmpty(); header = line()) {
      int colon = header.indexOf(':');
      String value = header.substring(colon + 1).strip();
      switch (header.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT)) {
        case "content-length" -> length = Integer.parseInt(value);
        case "transfer-encoding" -> chunked = true;
        case "connection" -> ended = value.equalsIgnoreCase("close");
        default -> {
          // Of no use here.
        }
      }
    }
    return new Answer(status, chunked ? chunks() : bytes(length));
  }

  private String chunks() throws IOException {
    StringBuilder body = new StringBuilder();
    for (int size = chunkSize(); size > 0; size = chunkSize()) {
      body.append(bytes(size));
      line();
    }
    line();
    return body.toString();
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line().strip(), 16);
  }

  private String bytes(int length) throws IOException {
    if (length > BODY_BYTES_MAX) {
      throw new IOException("an answer of %d bytes".formatted(length));
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the connection ended inside an answer");
    }
    return new String(bytes, ISO_8859_1);
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0 || line.size() > HEAD_BYTES_MAX) {
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
    try {
      socket.close();
    } catch (IOException e) {
      // It was of no use any more either way.
    }
  }
}
