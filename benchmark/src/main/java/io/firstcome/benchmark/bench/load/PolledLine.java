package io.firstcome.benchmark.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.service.HttpAnswer;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * A non-blocking HTTP/1.1 keep-alive connection, so that one thread can use many. One request is in
 * flight at a time.
 */
final class PolledLine implements AutoCloseable {

  private static final int ANSWER_BYTES_MAX = 16_384;

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
   * Reads the available part of the answer.
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
    try {
      var complete =
          HttpAnswer.read(new ByteArrayInputStream(answer.array(), 0, answer.position()));
      isReusable = !"close".equals(complete.headers().get("connection"));
      return complete.status();
    } catch (EOFException e) {
      return 0;
    }
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
