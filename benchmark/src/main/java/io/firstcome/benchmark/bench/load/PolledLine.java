package io.firstcome.benchmark.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.firstcome.devservices.process.Ports;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/**
 * A non-blocking HTTP/1.1 keep-alive connection, so that one thread can use many. One request is in
 * flight at a time.
 */
final class PolledLine implements AutoCloseable {

  private static final int ANSWER_BYTES_MAX = 16_384;
  private static final String HEAD_END = "\r\n\r\n";
  private static final String LAST_CHUNK = "\r\n0\r\n\r\n";
  private static final String LENGTH = "\r\ncontent-length: ";

  /** Where the status is in the first line, behind the version of HTTP. */
  private static final int STATUS = 9;

  private static final int STATUS_END = 12;
  private static final int DECIMAL = 10;

  private final SocketChannel channel;
  private final ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES_MAX);
  private long dueNanos;
  private boolean isReusable = true;

  private PolledLine(SocketChannel channel) {
    this.channel = channel;
  }

  /** Connects to loopback; the attachment of the selector's key is the connection. */
  static PolledLine open(int port, Selector selector) throws IOException {
    SocketChannel channel = SocketChannel.open(new InetSocketAddress(Ports.loopback(), port));
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      PolledLine line = new PolledLine(channel);
      channel.register(selector, SelectionKey.OP_READ, line);
      return line;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Sends a whole request.
   *
   * @param due when the request was due, by {@link System#nanoTime()}
   * @throws IOException also if the connection does not accept all of it at once
   */
  void send(String request, long due) throws IOException {
    dueNanos = due;
    answer.clear();
    ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(ISO_8859_1));
    channel.write(bytes);
    if (bytes.hasRemaining()) {
      throw new IOException("the connection did not accept the whole request");
    }
  }

  /** When the request in flight was due. */
  long dueNanos() {
    return dueNanos;
  }

  /**
   * Reads the available part of the answer. The client shares the processors with the service, so
   * only what it needs of the head is parsed.
   *
   * @return its status, or 0 while the answer is incomplete
   * @throws IOException if the connection has ended, or the answer is too long
   */
  int receive() throws IOException {
    if (channel.read(answer) < 0) {
      throw new EOFException("the connection ended before the answer");
    }
    if (!answer.hasRemaining()) {
      throw new IOException("the answer is too long: " + said());
    }
    String text = said();
    int headEnd = text.indexOf(HEAD_END);
    if (headEnd < 0) {
      return 0;
    }
    String head = text.substring(0, headEnd).toLowerCase(Locale.ROOT);
    boolean isComplete =
        head.contains("\r\ntransfer-encoding: chunked")
            ? text.endsWith(LAST_CHUNK)
            : text.length() - headEnd - HEAD_END.length() >= length(head);
    if (!isComplete) {
      return 0;
    }
    isReusable = !head.contains("\r\nconnection: close");
    return Integer.parseInt(head, STATUS, STATUS_END, DECIMAL);
  }

  /** The length of the body in bytes; 0 if the head does not name it. */
  private static int length(String head) {
    int name = head.indexOf(LENGTH);
    if (name < 0) {
      return 0;
    }
    int begin = name + LENGTH.length();
    int end = head.indexOf('\r', begin);
    return Integer.parseInt(head, begin, end < 0 ? head.length() : end, DECIMAL);
  }

  /** Whether another request can be sent: the server closes a connection after some failures. */
  boolean isReusable() {
    return isReusable;
  }

  /** The received part of the answer. */
  String said() {
    return new String(answer.array(), 0, answer.position(), ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
