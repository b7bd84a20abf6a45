package io.firstcome.bootstrap.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.firstcome.application.webhook.WebhookLimits;
import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.domain.port.WebhookSender.Reply;
import io.firstcome.domain.port.WebhookSender.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpWebhookSenderTest {

  private static final Instant NOW = Instant.parse("2026-11-01T10:00:00Z");
  private static final String BODY = "[{\"id\":\"ü\"}]";
  private static final Duration REQUEST_TIME = Duration.ofSeconds(2);
  private static final WebhookProperties LOOPBACK =
      new WebhookProperties(true, List.of("127.0.0.0/8", "::1"));

  private final List<String> paths = Collections.synchronizedList(new ArrayList<>());
  private final AtomicReference<HttpHandler> handler = new AtomicReference<>(answering(204));
  private HttpServer server;
  private HttpWebhookSender sender;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          paths.add(exchange.getRequestURI().getPath());
          handler.get().handle(exchange);
        });
    server.start();
    sender = sender(LOOPBACK);
  }

  @AfterEach
  void stop() {
    sender.close();
    server.stop(0);
  }

  private static HttpWebhookSender sender(WebhookProperties properties) {
    var usual = WebhookLimits.defaults();
    var limits =
        new WebhookLimits(
            usual.endpoints(),
            usual.batch(),
            usual.eventsPerDelivery(),
            usual.inFlight(),
            Duration.ofMillis(500),
            REQUEST_TIME,
            usual.lease(),
            usual.attempts(),
            usual.firstPause(),
            usual.longestPause(),
            usual.failingDays(),
            usual.loggedDays(),
            usual.secretOverlap());
    return new HttpWebhookSender(properties, limits, DefaultClientTlsStrategy.createDefault());
  }

  private static HttpHandler answering(int status) {
    return exchange -> answer(exchange, status);
  }

  private static void answer(HttpExchange exchange, int status) throws IOException {
    exchange.getRequestBody().readAllBytes();
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private URI url(String host) {
    return URI.create("http://%s:%d/hooks".formatted(host, server.getAddress().getPort()));
  }

  private Reply send(URI url) {
    return sender.send(new Request(url, "msg_7", NOW, List.of("v1,one", "v1,two"), BODY));
  }

  private Reply send() {
    return send(url("127.0.0.1"));
  }

  private static String reason(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Failed.class);
    return ((Reply.Failed) reply).reason();
  }

  @Test
  void a_message_is_sent_with_its_headers() {
    var seen = new AtomicReference<String>();
    handler.set(exchange -> {
      var headers = exchange.getRequestHeaders();
      seen.set(
          String.join(
              "|",
              exchange.getRequestMethod(),
              headers.getFirst("webhook-id"),
              headers.getFirst("webhook-timestamp"),
              headers.getFirst("webhook-signature"),
              headers.getFirst("content-type"),
              String.valueOf(headers.getFirst("upgrade")),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
      answer(exchange, 200);
    });

    assertThat(send()).isEqualTo(new Reply.Answered(200, null));

    assertThat(seen.get())
        .isEqualTo(
            "POST|msg_7|1793527200|v1,one v1,two|application/cloudevents-batch+json; charset=UTF-8"
                + "|null|"
                + BODY);
  }

  @ParameterizedTest
  @CsvSource({"120, 120", "'Sun, 01 Nov 2026 10:01:00 GMT', 60"})
  void the_receiver_can_say_when_it_wants_the_next_request(String header, long seconds) {
    handler.set(exchange -> {
      exchange.getResponseHeaders().set("Retry-After", header);
      answer(exchange, 503);
    });

    assertThat(send()).isEqualTo(new Reply.Answered(503, Duration.ofSeconds(seconds)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "-1", "99999999999999999999", "9999999"})
  void a_time_that_makes_no_sense_is_ignored(String header) {
    handler.set(exchange -> {
      exchange.getResponseHeaders().set("Retry-After", header);
      answer(exchange, 429);
    });

    assertThat(send()).isEqualTo(new Reply.Answered(429, null));
  }

  @Test
  void a_redirect_is_not_followed() {
    handler.set(exchange -> {
      exchange.getResponseHeaders().set("Location", "/elsewhere");
      answer(exchange, 307);
    });

    assertThat(send()).isEqualTo(new Reply.Answered(307, null));
    assertThat(paths).containsExactly("/hooks");
  }

  @Test
  void a_long_answer_is_not_read_to_its_end() {
    var written = new AtomicReference<>(0L);
    handler.set(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      try (var out = exchange.getResponseBody()) {
        var block = new byte[64 * 1024];
        for (int i = 0; i < 10_000; i++) {
          out.write(block);
          written.set(written.get() + block.length);
        }
      }
    });

    assertThat(send()).isEqualTo(new Reply.Answered(200, null));
    assertThat(send()).isEqualTo(new Reply.Answered(200, null));
    assertThat(written.get()).isLessThan(10_000L * 64 * 1024);
  }

  /** Otherwise the answer would be kept in memory until the time of the request is over. */
  @ParameterizedTest
  @CsvSource({
    "'HTTP/1.1 200 ', x",
    "'HTTP/1.1 200 OK\r\nX: ', x",
    "'HTTP/1.1 200 OK\r\n', 'X: y\r\n'",
    "'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', 1"
  })
  void an_answer_whose_head_has_no_end_fails_at_once(String begin, String repeated)
      throws IOException {
    try (var endless = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(() -> answer(endless, begin, repeated));

      assertThat(reason(send(URI.create("http://127.0.0.1:" + endless.getLocalPort()))))
          .contains("no valid HTTP");
    }
  }

  /** Answers the next connection until its client closes it. */
  private static void answer(ServerSocket server, String begin, String repeated) {
    try (var connection = server.accept()) {
      var out = connection.getOutputStream();
      out.write(begin.getBytes(StandardCharsets.US_ASCII));
      var block = repeated.repeat(1_000).getBytes(StandardCharsets.US_ASCII);
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      // The client has closed the connection.
    }
  }

  @Test
  void a_receiver_that_does_not_answer_costs_the_time_of_one_request() throws IOException {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      long begin = System.nanoTime();
      var url = URI.create("http://127.0.0.1:" + silent.getLocalPort());

      assertThat(reason(send(url))).contains("no answer within 2 seconds");

      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isLessThan(REQUEST_TIME.plusSeconds(3));
    }
  }

  @Test
  void an_answer_that_comes_byte_by_byte_costs_the_time_of_one_request() {
    handler.set(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      try (var out = exchange.getResponseBody()) {
        for (int i = 0; i < 100; i++) {
          out.write(' ');
          out.flush();
          Thread.sleep(200);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    long begin = System.nanoTime();

    assertThat(reason(send())).contains("no answer within 2 seconds");

    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(REQUEST_TIME.plusSeconds(3));
  }

  @Test
  void a_closed_port_is_a_failure() throws IOException {
    int port;
    try (var closed = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }

    assertThat(reason(send(URI.create("http://127.0.0.1:" + port))))
        .contains("does not accept connections");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "[::1]", "2130706433"})
  void an_address_that_is_not_allowed_is_refused_at_each_request(String host) {
    sender.close();
    sender = sender(new WebhookProperties(true, List.of()));

    assertThat(reason(send(url(host)))).contains("not allowed");
    assertThat(paths).isEmpty();
  }

  @Test
  void plain_http_is_refused_at_each_request_unless_it_is_allowed() {
    sender.close();
    sender = sender(new WebhookProperties(false, List.of("127.0.0.0/8")));

    assertThat(reason(send())).contains("must begin with https://");
    assertThat(paths).isEmpty();
  }

  @Test
  void an_address_with_half_a_character_has_a_fault() {
    assertThat(sender.fault(URI.create("https://1.1.1.1/" + Character.MIN_HIGH_SURROGATE)))
        .hasValueSatisfying(fault -> assertThat(fault).contains("ASCII characters only"));
  }

  @ParameterizedTest
  @CsvSource({
    "http://1.1.1.1/, must begin with https://",
    "ftp://1.1.1.1/, must begin with https://",
    "hooks, must begin with https://",
    "https:/hooks, must name a host",
    "https://127.1/, must name a host",
    "https://0x7f.1/, must name a host",
    "https://2130706433/, not allowed",
    "https://user@1.1.1.1/, must have no user",
    "https://1.1.1.1/#part, no fragment",
    "https://1.1.1.1:70000/, must have a port",
    "https://1.1.1.1//hooks, does not begin with //",
    "https://1.1.1.1/쿠폰, must have ASCII characters only",
    "https://1.1.1.1/?x=é, must have ASCII characters only",
    "https://10.0.0.1/, not allowed",
    "https://[::ffff:10.0.0.1]/, not allowed",
    "https://169.254.169.254/latest/meta-data, not allowed",
    "https://localhost/, not allowed",
    "https://name.invalid/, not found"
  })
  void addresses_that_cannot_be_called_have_a_fault(String url, String fault) {
    sender.close();
    sender = sender(new WebhookProperties(false, List.of()));

    assertThat(sender.fault(URI.create(url)).orElseThrow()).contains(fault);
  }

  @Test
  void addresses_that_can_be_called_have_no_fault() {
    assertThat(sender.fault(url("127.0.0.1"))).isEmpty();
    assertThat(sender.fault(URI.create("https://1.1.1.1/hooks?key=1"))).isEmpty();
  }

  @Test
  void a_setting_that_is_no_network_is_refused() {
    var wrong = new WebhookProperties(false, List.of("10.0.0.0/99"));

    assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(wrong::allowed);
  }
}
