package io.firstcome.bootstrap.connector;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.wiring.HttpLimits;
import io.firstcome.domain.observation.IssuanceObserver;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are slow on purpose, on a real Tomcat. */
@Timeout(60)
class ConnectionReaperTest {

  private static final Duration REQUEST_TIME = Duration.ofSeconds(2);

  /** Only the number of incomplete requests closes a connection before this time. */
  private static final Duration LONG_TIME = Duration.ofMinutes(1);

  private static final int INCOMPLETE = 5;
  private static final int MAX_CONNECTIONS = 40;
  private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(ISO_8859_1);
  private static final byte[] START = "GET / HTTP/1.1\r\nX: ".getBytes(ISO_8859_1);
  private static final byte[] BODY_START =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx".getBytes(ISO_8859_1);

  @TempDir Path folder;

  private final HeldThreads threads = new HeldThreads();

  private final BodyReads bodies = new BodyReads();
  private final Downloads downloads = new Downloads();
  private Tomcat tomcat;
  private ConnectionReaper reaper;
  private final List<Socket> sockets = new ArrayList<>();

  private static final class Greeting extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getOutputStream().print("hello");
    }
  }

  /** Answers with more than the buffers of a connection hold. */
  private final class LargeFile extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final int BLOCKS = 300;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      boolean isDownload = request.getServletPath().equals("/download");
      try (var _ = isDownload ? downloads.begin(request.getServletConnection()) : null) {
        for (int i = 0; i < BLOCKS; i++) {
          response.getOutputStream().write(new byte[100_000]);
        }
        response.getOutputStream().print("the end");
      }
    }
  }

  /** Threads as on a busy machine: while they are held, requests wait for one. */
  private static final class HeldThreads implements Executor {

    private final List<Runnable> waiting = new ArrayList<>();
    private final CountDownLatch pollerMayContinue = new CountDownLatch(1);
    private boolean held;
    private volatile boolean pollerIsHeld;

    @Override
    public void execute(Runnable task) {
      if (pollerIsHeld) {
        try {
          pollerMayContinue.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException("unexpected interrupt of a test", e);
        }
      }
      submit(task);
    }

    private synchronized void submit(Runnable task) {
      if (held) {
        waiting.add(task);
      } else {
        Thread.ofVirtual().start(task);
      }
    }

    /** Holds the thread that observes the connections, as soon as it submits a task. */
    void holdPoller() {
      pollerIsHeld = true;
    }

    void releasePoller() {
      pollerMayContinue.countDown();
    }

    synchronized void hold() {
      held = true;
    }

    synchronized void release() {
      held = false;
      waiting.forEach(task -> Thread.ofVirtual().start(task));
      waiting.clear();
    }
  }

  @BeforeEach
  void start() throws LifecycleException {
    start(REQUEST_TIME);
  }

  private void start(Duration requestTime) throws LifecycleException {
    var limits = new HttpLimits(requestTime, INCOMPLETE, 1);
    reaper = new ConnectionReaper(bodies, downloads, limits, IssuanceObserver.silent());
    tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    var connector = new Connector(ReapedProtocol.class.getName());
    connector.setPort(0);
    var protocol = (ReapedProtocol) connector.getProtocolHandler();
    protocol.setMaxConnections(MAX_CONNECTIONS);
    protocol.setConnectionTimeout((int) requestTime.multipliedBy(2).toMillis());
    protocol.setKeepAliveTimeout(20_000);
    protocol.setMaxSwallowSize(0);
    protocol.setExecutor(threads);
    reaper.watch(protocol);
    tomcat.setConnector(connector);
    var context = tomcat.addContext("", folder.toString());
    Tomcat.addServlet(context, "greeting", new Greeting());
    context.addServletMappingDecoded("/", "greeting");
    Tomcat.addServlet(context, "large", new LargeFile());
    context.addServletMappingDecoded("/large", "large");
    context.addServletMappingDecoded("/download", "large");
    var filter = new FilterDef();
    filter.setFilterName("body");
    filter.setFilter(new BodyFilter(new RequestBodies(bodies, limits)));
    context.addFilterDef(filter);
    var mapping = new FilterMap();
    mapping.setFilterName("body");
    mapping.addURLPattern("/*");
    context.addFilterMap(mapping);
    tomcat.start();
    reaper.start();
  }

  @AfterEach
  void stop() throws IOException, LifecycleException {
    reaper.stop();
    for (var socket : sockets) {
      socket.close();
    }
    tomcat.stop();
    tomcat.destroy();
  }

  private Socket connect() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort());
    socket.setSoTimeout(20_000);
    sockets.add(socket);
    return socket;
  }

  private Socket connect(byte[] first) throws IOException {
    var socket = connect();
    socket.getOutputStream().write(first);
    return socket;
  }

  private static void assertAnswers(Socket socket) throws IOException {
    socket.getOutputStream().write(REQUEST);
    assertThat(answer(socket.getInputStream())).startsWith("HTTP/1.1 200").endsWith("hello");
  }

  private static String answer(InputStream in) throws IOException {
    var answer = new StringBuilder();
    try {
      for (int b = in.read(); b >= 0; b = in.read()) {
        answer.append((char) b);
        if (answer.toString().endsWith("hello")) {
          break;
        }
      }
    } catch (SocketException e) {
      // Closed by the server.
    }
    return answer.toString();
  }

  /** Sends a byte every 100 ms until the connection is closed. */
  private static Duration trickle(Socket socket) throws InterruptedException {
    long begin = System.nanoTime();
    try {
      for (; ; ) {
        socket.getOutputStream().write('x');
        Thread.sleep(100);
      }
    } catch (IOException closed) {
      return Duration.ofNanos(System.nanoTime() - begin);
    }
  }

  /** Skips an answer: a request whose body was cut off may be answered before the end. */
  private static boolean isClosed(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      var _ = socket.getInputStream().readAllBytes();
      return true;
    } catch (SocketException e) {
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  @Test
  void a_client_that_sends_the_head_of_a_request_slowly_is_cut_off() throws Exception {
    var slow = connect(START);

    assertThat(trickle(slow)).isBetween(REQUEST_TIME, REQUEST_TIME.multipliedBy(3));
  }

  @Test
  void a_client_that_sends_the_body_of_a_request_slowly_is_cut_off() throws Exception {
    var slow = connect(BODY_START);

    assertThat(trickle(slow)).isBetween(REQUEST_TIME, REQUEST_TIME.multipliedBy(3));
  }

  @Test
  void the_rest_of_a_refused_body_is_not_waited_for() throws Exception {
    var refused =
        connect(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\nx".getBytes(ISO_8859_1));
    assertThat(answer(refused.getInputStream())).startsWith("HTTP/1.1 413");
    assertThat(isClosed(refused)).isTrue();
  }

  /** The extension of a chunk can be long, and is not counted as a part of the body. */
  @Test
  void the_rest_of_a_refused_chunked_body_is_not_waited_for() throws Exception {
    var refused =
        connect(
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n11170\r\n"
                    + "x".repeat(70_000)
                    + "\r\n1;")
                .getBytes(ISO_8859_1));

    assertThat(trickle(refused)).isLessThan(REQUEST_TIME.multipliedBy(3));
  }

  /** Reads for much longer than a client may take for an answer; returns the last megabyte. */
  private String readSlowly(String path) throws Exception {
    var socket = connect("GET %s HTTP/1.0\r\n\r\n".formatted(path).getBytes(US_ASCII));
    byte[] last = new byte[0];
    try {
      for (var next = megabyte(socket); next.length > 0; next = megabyte(socket)) {
        last = next;
        Thread.sleep(REQUEST_TIME.dividedBy(7));
      }
    } catch (SocketException e) {
      // It was cut off.
    }
    return new String(last, US_ASCII);
  }

  private static byte[] megabyte(Socket socket) throws IOException {
    return socket.getInputStream().readNBytes(1_000_000);
  }

  @Test
  void a_client_that_receives_an_answer_slowly_is_cut_off() throws Exception {
    assertThat(readSlowly("/large")).doesNotContain("the end");
  }

  @Test
  void a_client_that_receives_a_file_slowly_is_not_cut_off() throws Exception {
    assertThat(readSlowly("/download")).contains("the end");
  }

  @Test
  void an_idle_connection_stays_open_and_is_used_again() throws Exception {
    var idle = connect();
    assertAnswers(idle);
    Thread.sleep(REQUEST_TIME.plusSeconds(1).toMillis());

    assertAnswers(idle);
  }

  @Test
  void when_too_many_requests_are_incomplete_the_oldest_are_cut_off() throws Exception {
    stop();
    start(LONG_TIME);
    var before = connect();
    assertAnswers(before);
    for (int i = 0; i < 4 * INCOMPLETE; i++) {
      connect(i % 2 == 0 ? START : BODY_START);
      Thread.sleep(10);
    }

    var incomplete = sockets.subList(1, sockets.size());
    for (int i = 0; i < 1_000 && open(incomplete) > INCOMPLETE; i++) {
      Thread.sleep(10);
    }
    // Several rounds more: no other one is closed.
    Thread.sleep(REQUEST_TIME.dividedBy(2).toMillis());
    assertThat(open(incomplete)).isEqualTo(INCOMPLETE);
    assertThat(sockets.subList(sockets.size() - 2, sockets.size()))
        .as("the youngest")
        .noneMatch(ConnectionReaperTest::isClosedNow);
    assertAnswers(before);
  }

  @Test
  void when_twice_as_many_bodies_are_being_read_further_ones_are_refused_at_once()
      throws Exception {
    for (int i = 0; i < 2 * INCOMPLETE; i++) {
      connect(BODY_START);
    }
    while (bodies.count() < 2 * INCOMPLETE) {
      Thread.onSpinWait();
    }

    var refused = connect(BODY_START);
    assertThat(answer(refused.getInputStream())).startsWith("HTTP/1.1 503");
    assertThat(isClosed(refused)).isTrue();
    assertAnswers(connect());
  }

  private static long open(List<Socket> sockets) {
    return sockets.stream().filter(socket -> !isClosedNow(socket)).count();
  }

  private static boolean isClosedNow(Socket socket) {
    try {
      return isClosed(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void when_nearly_all_connections_are_used_the_longest_idle_ones_are_closed() throws Exception {
    for (int i = 0; i < MAX_CONNECTIONS; i++) {
      assertAnswers(connect());
    }

    assertAnswers(connect());
    Thread.sleep(1_500);
    assertThat(open(sockets)).isBetween(MAX_CONNECTIONS / 4L, MAX_CONNECTIONS * 9L / 10);
  }

  @Test
  void a_connection_whose_request_waits_for_a_thread_is_not_idle() throws Exception {
    for (int i = 0; i < MAX_CONNECTIONS * 3 / 4; i++) {
      assertAnswers(connect());
    }
    var longestIdle = sockets.getFirst();
    threads.hold();
    longestIdle.getOutputStream().write(REQUEST);
    Thread.sleep(200);
    while (sockets.size() < MAX_CONNECTIONS) {
      connect();
    }
    Thread.sleep(1_500);
    threads.release();

    assertThat(answer(longestIdle.getInputStream())).startsWith("HTTP/1.1 200").endsWith("hello");
    assertThat(open(sockets)).as("idle ones are closed").isLessThan(MAX_CONNECTIONS * 9L / 10);
  }

  @Test
  void a_complete_request_that_waits_for_a_thread_is_not_cut_off() throws Exception {
    var client = connect(START);
    Thread.sleep(200);
    threads.hold();
    client.getOutputStream().write("x\r\nHost: a\r\n\r\n".getBytes(ISO_8859_1));
    Thread.sleep(REQUEST_TIME.plusSeconds(1).toMillis());
    threads.release();

    assertThat(answer(client.getInputStream())).startsWith("HTTP/1.1 200").endsWith("hello");
  }

  /** The poller is behind: the request has arrived, but is not observed yet. */
  @Test
  void a_connection_whose_request_has_arrived_is_not_idle() throws Exception {
    for (int i = 0; i < MAX_CONNECTIONS * 3 / 4; i++) {
      assertAnswers(connect());
    }
    while (sockets.size() < MAX_CONNECTIONS * 9 / 10) {
      connect();
    }
    var longestIdle = sockets.getFirst();
    Thread.sleep(500);
    threads.holdPoller();
    sockets.getLast().getOutputStream().write(REQUEST);
    Thread.sleep(200);
    longestIdle.getOutputStream().write(REQUEST);
    while (sockets.size() < MAX_CONNECTIONS) {
      connect();
    }
    Thread.sleep(1_500);
    threads.releasePoller();

    assertThat(answer(longestIdle.getInputStream())).startsWith("HTTP/1.1 200").endsWith("hello");
  }
}
