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
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A non-blocking HTTP/1.1 keep-alive connection, so that one thread can use many. One request is in
 * flight at a time.
 */
final class PolledLine implements AutoCloseable {

  private static final int ANSWER_BYTES_MAX = 16_384;
  private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(ISO_8859_1);
  private static final byte[] LAST_CHUNK = "\r\n0\r\n\r\n".getBytes(ISO_8859_1);
  private static final Pattern STATUS = Pattern.compile("^HTTP/1\\.1 (\\d{3})");
  private static final Pattern CHUNKED = header("transfer-encoding: *(chunked)");
  private static final Pattern LENGTH = header("content-length: *(\\d+)");

  private final SocketChannel channel;
  private final ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES_MAX);
  private long dueNanos;

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
   * Reads the available part of the answer.
   *
   * @return its status, or 0 while the answer is incomplete
   * @throws IOException if the connection has ended, or the length of the answer is unknown
   */
  int receive() throws IOException {
    if (channel.read(answer) < 0) {
      throw new EOFException("the connection ended before the answer");
    }
    if (!answer.hasRemaining()) {
      throw malformed();
    }
    int headBytes = headBytes();
    if (headBytes == 0) {
      return 0;
    }
    String head = new String(answer.array(), 0, headBytes, ISO_8859_1);
    return isComplete(head) ? Integer.parseInt(find(STATUS, head).orElseThrow(this::malformed)) : 0;
  }

  private boolean isComplete(String head) throws IOException {
    if (find(CHUNKED, head).isPresent()) {
      return endsWith(LAST_CHUNK, answer.position());
    }
    int length = head.length() + Integer.parseInt(find(LENGTH, head).orElseThrow(this::malformed));
    return answer.position() >= length;
  }

  /** The length of the head, or 0 if it is incomplete. */
  private int headBytes() {
    for (int end = END_OF_HEAD.length; end <= answer.position(); end++) {
      if (endsWith(END_OF_HEAD, end)) {
        return end;
      }
    }
    return 0;
  }

  private boolean endsWith(byte[] wanted, int end) {
    int from = end - wanted.length;
    return from >= 0 && Arrays.equals(answer.array(), from, end, wanted, 0, wanted.length);
  }

  private static Pattern header(String line) {
    return Pattern.compile("\r\n" + line + "\r\n", Pattern.CASE_INSENSITIVE);
  }

  private static Optional<String> find(Pattern pattern, String head) {
    Matcher matcher = pattern.matcher(head);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private IOException malformed() {
    return new IOException("the length of the answer is unknown: " + said());
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
