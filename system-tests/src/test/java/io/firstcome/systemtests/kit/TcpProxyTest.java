package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.devservices.process.Ports;
import io.firstcome.systemtests.kit.TcpProxy.Way;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The proxy between a client and an echo server, all on loopback. */
class TcpProxyTest {

  private static final Duration LIMIT = Duration.ofSeconds(5);

  /** Data that does not arrive within this time is taken as lost. */
  private static final Duration SILENCE = Duration.ofMillis(150);

  private final List<String> served = new CopyOnWriteArrayList<>();
  private ServerSocket server;
  private TcpProxy proxy;
  private Socket client;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 0, Ports.loopback());
    Thread.ofVirtual().start(this::serve);
    proxy = TcpProxy.to("127.0.0.1", server.getLocalPort());
    client = newClient();
  }

  private Socket newClient() throws IOException {
    Socket made = new Socket(Ports.loopback(), proxy.port());
    made.setSoTimeout((int) LIMIT.toMillis());
    return made;
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        Socket accepted = server.accept();
        Thread.ofVirtual().start(() -> echo(accepted));
      } catch (IOException e) {
        // Closed at the end of the test.
      }
    }
  }

  private void echo(Socket socket) {
    byte[] buffer = new byte[1_024];
    try (socket) {
      for (int n = socket.getInputStream().read(buffer);
          n >= 0;
          n = socket.getInputStream().read(buffer)) {
        served.add(new String(buffer, 0, n, UTF_8));
        socket.getOutputStream().write(buffer, 0, n);
      }
      served.add("end");
    } catch (IOException e) {
      served.add("broken");
    }
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    proxy.close();
    server.close();
  }

  private void send(String text) throws IOException {
    client.getOutputStream().write(text.getBytes(UTF_8));
  }

  private String receive(int length) throws IOException {
    return new String(client.getInputStream().readNBytes(length), UTF_8);
  }

  private void assertSilence() throws IOException {
    client.setSoTimeout((int) SILENCE.toMillis());
    assertThatThrownBy(() -> client.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    client.setSoTimeout((int) LIMIT.toMillis());
  }

  private void awaitServed(String... texts) {
    Await.until(
        LIMIT, () -> served + " should be " + List.of(texts), () -> served.equals(List.of(texts)));
  }

  @Test
  void data_is_forwarded_and_counted() throws IOException {
    send("hello");

    assertThat(receive(5)).isEqualTo("hello");
    assertThat(proxy.passedBytes(Way.REQUESTS)).isEqualTo(5);
    assertThat(proxy.passedBytes(Way.REPLIES)).isEqualTo(5);
    assertThat(proxy.connections()).isEqualTo(1);
    assertThat(proxy.openConnections()).isEqualTo(1);
  }

  @Test
  void the_end_of_a_connection_is_forwarded() throws IOException {
    client.shutdownOutput();

    assertThat(client.getInputStream().read()).isNegative();
    awaitServed("end");
    Await.until(LIMIT, "no connection", () -> proxy.openConnections() == 0);
  }

  @Test
  void replies_are_delayed_until_the_proxy_is_healed() throws IOException {
    proxy.delay(SILENCE);
    long begin = System.nanoTime();
    send("slow");
    assertThat(receive(4)).isEqualTo("slow");
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(SILENCE.multipliedBy(2));

    proxy.delay(LIMIT.multipliedBy(2));
    proxy.heal();
    send("fast");
    assertThat(receive(4)).isEqualTo("fast");
  }

  @Test
  void dropped_connections_receive_nothing_and_new_connections_work() throws IOException {
    send("known");
    assertThat(receive(5)).isEqualTo("known");
    proxy.dropOpen();
    send("lost");
    assertSilence();

    client = newClient();
    send("new");
    assertThat(receive(3)).isEqualTo("new");
  }

  @Test
  void dropped_replies_never_arrive_although_the_requests_do() throws IOException {
    proxy.swallow(Way.REPLIES);
    send("done");

    awaitServed("done");
    assertSilence();
    proxy.heal();
    assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
    assertThat(proxy.passedBytes(Way.REPLIES)).isZero();
  }

  @Test
  void replies_are_lost_from_the_request_for_which_the_condition_of_its_connection_holds()
      throws IOException {
    proxy.swallowRepliesFrom(TcpProxyTest::secondRequest);
    send("one");
    assertThat(receive(3)).isEqualTo("one");
    var earlier = client;
    client = newClient();
    send("two");
    assertThat(receive(3)).isEqualTo("two");
    assertThat(proxy.isSwallowing()).isFalse();

    send("three");
    awaitServed("one", "two", "three");
    assertSilence();
    assertThat(proxy.isSwallowing()).isTrue();
    earlier.close();
  }

  @Test
  void replies_are_lost_until_the_proxy_is_healed() throws IOException {
    proxy.swallowRepliesFrom(() -> request -> request.contains("now"));
    send("not yet");
    assertThat(receive(7)).isEqualTo("not yet");
    assertThat(proxy.isSwallowing()).isFalse();

    send("do it now");
    awaitServed("not yet", "do it now");
    assertSilence();
    assertThat(proxy.isSwallowing()).isTrue();
    proxy.heal();
    client = newClient();
    send("now");
    assertThat(receive(3)).isEqualTo("now");
  }

  @Test
  void lost_requests_never_arrive() throws IOException {
    proxy.swallow(Way.REQUESTS);
    send("lost");

    assertSilence();
    proxy.heal();
    assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
    client = newClient();
    send("next");
    assertThat(receive(4)).isEqualTo("next");
    assertThat(served).contains("next").doesNotContain("lost");
  }

  @Test
  void data_delayed_by_a_cut_arrives_after_the_proxy_is_healed() throws IOException {
    proxy.cut();
    send("late");

    assertSilence();
    assertThat(served).isEmpty();
    proxy.heal();
    assertThat(receive(4)).isEqualTo("late");
  }

  @Test
  void a_reset_breaks_both_sides_and_new_connections_are_accepted() throws IOException {
    send("one");
    receive(3);
    proxy.reset();

    assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
    awaitServed("one", "broken");
    client = newClient();
    send("two");
    assertThat(receive(3)).isEqualTo("two");
  }

  @Test
  void refused_clients_cannot_connect_until_the_proxy_is_healed() throws IOException {
    proxy.refuse();

    assertThatThrownBy(this::newClient).isInstanceOf(ConnectException.class);
    assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
    proxy.heal();
    client = newClient();
    send("again");
    assertThat(receive(5)).isEqualTo("again");
  }

  @Test
  void a_slow_close_is_forwarded_late() throws IOException {
    proxy.closeSlowly(SILENCE.multipliedBy(2));
    client.shutdownOutput();

    assertSilence();
    assertThat(client.getInputStream().read()).isNegative();
  }

  @Test
  void a_client_of_an_unreachable_server_is_reset() throws IOException {
    client.close();
    server.close();
    // A listener that is closed during an accept still accepts clients for a moment.
    Await.until(LIMIT, "the server refuses connections", this::isServerClosed);

    client = newClient();
    assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
  }

  private static Predicate<String> secondRequest() {
    var requests = new AtomicInteger();
    return _ -> requests.incrementAndGet() == 2;
  }

  private boolean isServerClosed() {
    try (Socket _ = new Socket(Ports.loopback(), server.getLocalPort())) {
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      // Accepted, then reset when the listener was closed.
      return false;
    }
  }
}
