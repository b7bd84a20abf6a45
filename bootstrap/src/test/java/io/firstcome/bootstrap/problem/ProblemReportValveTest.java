package io.firstcome.bootstrap.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http11.Http11NioProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The responses to requests that Tomcat itself rejects. */
class ProblemReportValveTest {

  private static final String CLAIM = "POST /api/v1/coupons/FREE/claims HTTP/1.1\r\n";

  private final Tomcat tomcat = new Tomcat();
  private final PausedProtocol protocol = new PausedProtocol();
  private final Connector connector = new Connector(protocol);

  /** Paused between the first check, before the request line is read, and the second one. */
  private static final class PausedProtocol extends Http11NioProtocol {

    private final AtomicInteger checks = new AtomicInteger();
    private volatile boolean pauses;

    @Override
    public boolean isPaused() {
      return pauses ? checks.getAndIncrement() > 0 : super.isPaused();
    }
  }

  @BeforeEach
  void start(@TempDir Path folder) throws LifecycleException {
    tomcat.setBaseDir(folder.toString());
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
    ((StandardHost) tomcat.getHost()).setErrorReportValveClass(ProblemReportValve.class.getName());
    tomcat.addContext("", folder.toString());
    tomcat.start();
  }

  @AfterEach
  void stop() throws LifecycleException {
    protocol.pauses = false;
    tomcat.stop();
    tomcat.destroy();
  }

  private String answer(String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void a_request_that_arrives_during_the_shutdown_is_answered_as_overloaded() throws IOException {
    protocol.pauses = true;

    assertThat(answer(CLAIM + "Host: 127.0.0.1\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 503")
        .contains("Retry-After: 1", "urn:firstcome:problem:overloaded", "nothing happened");
  }

  @Test
  void a_request_without_a_host_is_malformed() throws IOException {
    assertThat(answer(CLAIM + "Connection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 400")
        .contains("urn:firstcome:problem:malformed-request");
  }
}
