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
  private static final int CONNECTIONS = 512;
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
    bench.warmStack(Pipeline.WHOLE);
  }

  @Override
  public List<Pair> round() {
    ServiceStack stack = bench.stack(Pipeline.WHOLE);
    Scale scale = bench.scale();
    String coupon = stack.defineWithRoom(Bench.ENDLESS_PIECES, "{\"admissionsPerSecond\":100}");
    String path = ServiceStack.roomPath(coupon);
    var tickets = new AtomicReferenceArray<String>(scale.waiting());
    new Burst(stack.port(), path, scale.waiting())
        .run("waiting-", (answer, user) -> tickets.set(user, ticket(answer.body())));
    var streams = new ArrayList<KeepAliveConnection>();
    try {
      for (int i = 0; i < scale.streams(); i++) {
        streams.add(open(stack.port(), request(stack, path + "/me/events", i, tickets)));
      }
      int pollers = scale.waiting() - scale.streams();
      var answers =
          new OpenLoop(
                  stack.port(),
                  path + "/me",
                  "",
                  (double) pollers / POLL_SECONDS,
                  scale.load(),
                  CONNECTIONS)
              .run(number ->
                  request(
                      stack, path + "/me", scale.streams() + (int) (number % pollers), tickets));
      double p99 = answers.requireAllAccepted().getValueAtPercentile(P99) / MICROS_PER_MILLI;
      return List.of(new Pair(p99, P99_MILLIS_MAX));
    } finally {
      streams.forEach(KeepAliveConnection::close);
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

  private static String request(
      ServiceStack stack, String path, int user, AtomicReferenceArray<String> tickets) {
    return "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Gateway-Secret: %s\r\nX-User-Id: waiting-%d\r\nX-Ticket: %s\r\n\r\n"
        .formatted(path, stack.port(), ServiceProcess.GATEWAY_SECRET, user, tickets.get(user));
  }
}
