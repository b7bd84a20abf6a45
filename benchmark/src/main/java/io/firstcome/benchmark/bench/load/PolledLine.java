package io.firstcome.benchmark.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.firstcome.devservices.Ports;
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
 * One kept-alive HTTP/1.1 connection that never makes its caller wait, so that one thread can keep
 * many of them busy. One request is under way at a time.
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

  /** Connects to loopback; the selector's key has the line as its attachment. */
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
   * @param due when it was meant to leave, by {@link System#nanoTime()}
   * @throws IOException also if the connection does not take all of it at once
   */
  void send(String request, long due) throws IOException {
    dueNanos = due;
    answer.clear();
    ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(ISO_8859_1));
    channel.write(bytes);
    if (bytes.hasRemaining()) {
      throw new IOException("the connection does not take a request");
    }
  }

  /** When the request that is under way was meant to leave. */
  long dueNanos() {
    return dueNanos;
  }

  /**
   * Takes what has come of the answer.
   *
   * @return its status, or 0 while some of it is still to come
   * @throws IOException if the connection has ended, or the end of the answer cannot be known
   */
  int receive() throws IOException {
    if (channel.read(answer) < 0) {
      throw new EOFException("the connection ended before an answer");
    }
    if (!answer.hasRemaining()) {
      throw unclear();
    }
    int headBytes = headBytes();
    if (headBytes == 0) {
      return 0;
    }
    String head = new String(answer.array(), 0, headBytes, ISO_8859_1);
    return isWhole(head) ? Integer.parseInt(find(STATUS, head).orElseThrow(this::unclear)) : 0;
  }

  private boolean isWhole(String head) throws IOException {
    if (find(CHUNKED, head).isPresent()) {
      return endsWith(LAST_CHUNK, answer.position());
    }
    int length = head.length() + Integer.parseInt(find(LENGTH, head).orElseThrow(this::unclear));
    return answer.position() >= length;
  }

  /** Up to the first byte of the body, or 0 if the head has not come whole. */
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

  private IOException unclear() {
    return new IOException("not an answer whose end can be known: " + said());
  }

  /** What has come of the answer. */
  String said() {
    return new String(answer.array(), 0, answer.position(), ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
