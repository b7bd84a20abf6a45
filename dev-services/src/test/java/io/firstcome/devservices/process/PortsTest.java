package io.firstcome.devservices.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PortsTest {

  private static final int STARTS = 2_000;

  @Test
  void a_server_gets_its_port_while_others_ask_whether_it_listens() throws Exception {
    int port = Ports.free();
    var starting = new AtomicBoolean(true);
    var asking =
        Thread.ofPlatform()
            .start(() -> {
              while (starting.get()) {
                Ports.isListening(port);
              }
            });
    try {
      for (int i = 0; i < STARTS; i++) {
        listen(port).close();
      }
    } finally {
      starting.set(false);
      asking.join();
    }
  }

  @Test
  void a_port_is_free_until_a_server_listens_there() throws IOException {
    int port = Ports.free();
    assertThat(Ports.isFree(port)).isTrue();
    assertThat(Ports.isListening(port)).isFalse();
    try (ServerSocket _ = listen(port)) {
      assertThat(Ports.isFree(port)).isFalse();
      assertThat(Ports.isListening(port)).isTrue();
    }
  }

  private static ServerSocket listen(int port) throws IOException {
    var socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(Ports.loopback(), port));
    return socket;
  }
}
