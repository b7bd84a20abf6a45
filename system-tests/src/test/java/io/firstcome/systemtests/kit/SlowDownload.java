package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A client that has begun to read a large answer, does not go on, and resets its connection. */
public final class SlowDownload implements AutoCloseable {

  /** Small, so that most of the answer is still in the service. */
  private static final int RECEIVE_BUFFER = 4_096;

  private final Socket socket = new Socket();
  private final BufferedReader answer;
  private final String statusLine;

  private SlowDownload(int port, Call call) throws IOException {
    socket.setReceiveBufferSize(RECEIVE_BUFFER);
    socket.setSoLinger(true, 0);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.getOutputStream().write(call.bytes());
    answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
    statusLine = answer.readLine();
  }

  /** Sends the call, and reads the first line of its answer. */
  public static SlowDownload begin(Deployment deployment, Call call) {
    try {
      return new SlowDownload(deployment.servicePort(), call);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first line of the answer. */
  public String statusLine() {
    return statusLine;
  }

  /** Reads until the connection ends, and returns what came, as it was sent. */
  public String rest() {
    var text = new StringBuilder();
    try {
      for (int next = answer.read(); next >= 0; next = answer.read()) {
        text.append((char) next);
      }
    } catch (IOException e) {
      // The service has reset the connection.
    }
    return text.toString();
  }

  /** Resets the connection. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
