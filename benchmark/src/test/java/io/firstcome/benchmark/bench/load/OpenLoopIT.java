package io.firstcome.benchmark.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.firstcome.devservices.process.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OpenLoopIT {

  private static final Duration STALL = Duration.ofMillis(600);

  private final ServerSocket server = open();
  private final Set<Integer> clientPorts = ConcurrentHashMap.newKeySet();
  private volatile Duration stall = Duration.ZERO;
  private volatile String answer = "HTTP/1.1 202 \r\nContent-Length: 2\r\n\r\n{}";

  private static ServerSocket open() {
    try {
      var socket = new ServerSocket();
      socket.bind(new InetSocketAddress(Ports.loopback(), 0));
      return socket;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void serve() {
    Thread.ofVirtual().start(this::acceptAll);
  }

  @AfterEach
  void end() throws IOException {
    server.close();
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> answerAfterStall(socket));
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  /** Delays the answer to the first request, and answers the others at once. */
  private void answerAfterStall(Socket accepted) {
    try (Socket socket = accepted) {
      var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
      boolean first = true;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.isEmpty()) {
          clientPorts.add(socket.getPort());
          Thread.sleep(first ? stall : Duration.ZERO);
          first = false;
          socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
        }
      }
    } catch (IOException e) {
      // The client has closed the connection.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private LongFunction<String> requests() {
    return OpenLoop.ofUsers(server.getLocalPort(), "/x", "", "user-");
  }

  @Test
  void requests_that_could_not_leave_while_the_server_stalled_count_as_waiting() {
    stall = STALL;
    var load = new OpenLoop(server.getLocalPort(), 100, Duration.ofMillis(300), 1);

    Histogram micros = load.run(requests()).requireAllAccepted();

    // All thirty were due before the first was answered: the last of them 290 ms after the first.
    assertThat(micros.getTotalCount()).isEqualTo(30);
    assertThat(micros.getMinValue()).isGreaterThan(250_000);
  }

  /** The service closes connections that are idle for long, as a rarely used one would be. */
  @Test
  void connections_take_turns() {
    var load = new OpenLoop(server.getLocalPort(), 100, Duration.ofMillis(300), 5);

    load.run(requests());

    assertThat(clientPorts).hasSize(5);
  }

  @Test
  void a_refusal_is_counted_apart() {
    answer = "HTTP/1.1 503 \r\nContent-Length: 2\r\n\r\n{}";
    var load = new OpenLoop(server.getLocalPort(), 100, Duration.ofMillis(10), 1);

    var answers = load.run(requests());

    assertThat(answers.refused().getTotalCount()).isEqualTo(1);
    assertThat(answers.accepted().getTotalCount()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(answers::requireAllAccepted)
        .withMessage("1 requests refused");
  }

  @Test
  void another_failure_ends_the_load() {
    answer = "HTTP/1.1 500 \r\nContent-Length: 2\r\n\r\n{}";
    var load = new OpenLoop(server.getLocalPort(), 100, Duration.ofMillis(10), 1);

    assertThatIllegalStateException()
        .isThrownBy(() -> load.run(requests()))
        .withMessageContaining("500");
  }
}
