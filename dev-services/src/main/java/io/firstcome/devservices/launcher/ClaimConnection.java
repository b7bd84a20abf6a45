package io.firstcome.devservices.launcher;

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
 * One kept-alive HTTP/1.1 connection that sends claims and does nothing else. The JDK's client
 * would do, but the demo shares its processors with the service, and that one takes several times
 * as much.
 */
final class ClaimConnection implements AutoCloseable {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
  private static final int BODY_BYTES_MAX = 1_000_000;
  private static final int LINE_BYTES_MAX = 16_384;

  private final Socket socket;
  private final InputStream in;
  private final String requestHead;
  private boolean reusable = true;

  /**
   * What the service said.
   *
   * @param retryAfterSeconds 0 where it did not say
   */
  record Answer(int status, long retryAfterSeconds, String body) {}

  private ClaimConnection(Socket socket, String requestHead) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
    this.requestHead = requestHead;
  }

  static ClaimConnection open(int port, String couponId) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) ANSWER_LIMIT.toMillis());
      socket.connect(new InetSocketAddress(Ports.loopback(), port), (int) CONNECT_LIMIT.toMillis());
      String head =
          "POST /api/v1/coupons/%s/claims HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                  .formatted(couponId, port)
              + "Content-Length: 0\r\nX-Gateway-Secret: %s\r\nX-User-Id: "
                  .formatted(ServiceProcess.GATEWAY_SECRET);
      return new ClaimConnection(socket, head);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Whether another claim can be sent; false after the service has said it will close. */
  boolean isReusable() {
    return reusable;
  }

  Answer claim(String userId) throws IOException {
    socket.getOutputStream().write((requestHead + userId + "\r\n\r\n").getBytes(ISO_8859_1));
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    long length = 0;
    long retryAfter = 0;
    boolean chunked = false;
    for (String header = line(); !header.isEmpty(); header = line()) {
      int colon = header.indexOf(':');
      String name = header.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
      String value = header.substring(colon + 1).strip();
      switch (name) {
        case "content-length" -> length = Long.parseLong(value);
        case "transfer-encoding" -> chunked = value.equalsIgnoreCase("chunked");
        case "retry-after" -> retryAfter = Long.parseLong(value);
        case "connection" -> reusable = !value.equalsIgnoreCase("close");
        default -> {
          // Of no use here.
        }
      }
    }
    return new Answer(status, retryAfter, chunked ? chunks() : bytes(length));
  }

  private String chunks() throws IOException {
    StringBuilder body = new StringBuilder();
    while (true) {
      long size = Long.parseLong(line().split(";", 2)[0].strip(), 16);
      if (size == 0) {
        while (!line().isEmpty()) {
          // Trailers, of no use here.
        }
        return body.toString();
      }
      body.append(bytes(size));
      line();
    }
  }

  private String bytes(long length) throws IOException {
    if (length > BODY_BYTES_MAX) {
      throw new IOException("an answer of %d bytes".formatted(length));
    }
    byte[] bytes = in.readNBytes((int) length);
    if (bytes.length < length) {
      throw new EOFException("the connection ended inside an answer");
    }
    return new String(bytes, ISO_8859_1);
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
    try {
      socket.close();
    } catch (IOException e) {
      // It was of no use any more either way.
    }
  }
}
