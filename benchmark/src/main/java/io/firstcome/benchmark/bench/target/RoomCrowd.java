package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.Burst;
import io.firstcome.benchmark.bench.load.OpenLoop;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import io.firstcome.devservices.service.KeepAliveConnection;
import io.firstcome.devservices.service.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.regex.Pattern;

/**
 * W3: the latency of a standing while 100,000 users are in the waiting room of one coupon. 5,000 of
 * them have a stream of events, the others ask every five seconds.
 */
public final class RoomCrowd implements Target {

  private static final double P99_MILLIS_MAX = 20;
  private static final double P99 = 99;
  private static final double MICROS_PER_MILLI = 1_000;
  private static final int POLL_SECONDS = 5;

  /** At most; each is used about every second, since the service closes one that is not. */
  private static final int CONNECTIONS = 512;

  private static final String USER = "waiting-";
  private static final Pattern TICKET = Pattern.compile("\"ticket\":\"([^\"]+)\"");

  private final Bench bench;

  public RoomCrowd(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    Scale scale = bench.scale();
    return List.of(
        new Measure(
            "W3",
            "latency of a standing with %,d users in a waiting room, of whom %,d have streams, 99th percentile"
                .formatted(scale.waiting(), scale.streams()),
            "ms",
            "standing",
            "limit",
            Goal.atMost(1)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() {
    bench.warmStack(Pipeline.CROWDED);
    var _ = p99Millis(bench.scale().warmUp());
  }

  @Override
  public List<Pair> round() {
    return List.of(new Pair(p99Millis(bench.scale().load()), P99_MILLIS_MAX));
  }

  private double p99Millis(Duration time) {
    ServiceStack stack = bench.stack(Pipeline.CROWDED);
    Scale scale = bench.scale();
    // In a thousand seconds all of them would be served.
    int rate = Math.max(1, scale.waiting() / 1_000);
    String coupon =
        stack.defineWithRoom(Bench.ENDLESS_PIECES, "{\"admissionsPerSecond\":%d}".formatted(rate));
    String path = ServiceStack.roomPath(coupon);
    var tickets = new AtomicReferenceArray<String>(scale.waiting());
    new Burst(stack.port(), path, scale.waiting())
        .run(USER, (answer, user) -> tickets.set(user, ticket(answer.body())));
    var streams = new ArrayList<KeepAliveConnection>();
    try {
      String stream = head(stack, path + "/me/events");
      int pollers = scale.waiting() - scale.streams();
      // The last ones: a stream ends when its user is served.
      for (int i = pollers; i < scale.waiting(); i++) {
        streams.add(open(stack.port(), request(stream, i, tickets)));
      }
      stack.awaitStreams(scale.streams());
      String poll = head(stack, path + "/me");
      double perSecond = (double) pollers / POLL_SECONDS;
      var answers =
          new OpenLoop(stack.port(), perSecond, time, Math.clamp((int) perSecond, 1, CONNECTIONS))
              .run(number -> request(poll, (int) (number % pollers), tickets));
      stack.awaitStreams(scale.streams());
      return answers.requireAllAccepted().getValueAtPercentile(P99) / MICROS_PER_MILLI;
    } finally {
      streams.forEach(KeepAliveConnection::close);
      stack.awaitStreams(0);
    }
  }

  private static String ticket(String body) {
    var found = TICKET.matcher(body);
    if (!found.find()) {
      throw new IllegalStateException("no ticket in " + body);
    }
    return found.group(1);
  }

  /** The events stay unread in the buffers of the system, which are large enough for a round. */
  private static KeepAliveConnection open(int port, String request) {
    try {
      var connection = KeepAliveConnection.open(port);
      connection.send(request.getBytes(StandardCharsets.ISO_8859_1));
      return connection;
    } catch (IOException e) {
      throw new UncheckedIOException("no stream of events", e);
    }
  }

  private static String head(ServiceStack stack, String path) {
    return "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Gateway-Secret: %s\r\nX-User-Id: %s"
        .formatted(path, stack.port(), ServiceProcess.GATEWAY_SECRET, USER);
  }

  private static String request(String head, int user, AtomicReferenceArray<String> tickets) {
    return head + user + "\r\nX-Ticket: " + tickets.get(user) + "\r\n\r\n";
  }
}
