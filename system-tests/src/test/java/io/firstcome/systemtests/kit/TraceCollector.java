package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A collector of traces that keeps what it receives over OTLP with HTTP. */
public final class TraceCollector implements AutoCloseable {

  private static final String PATH = "/v1/traces";

  private final HttpServer server;
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final AtomicInteger stalledReplies;

  private TraceCollector(HttpServer server, int stalledReplies) {
    this.server = server;
    this.stalledReplies = new AtomicInteger(stalledReplies);
  }

  /** The position of a span. */
  public record Place(String traceId, String spanId) {

    /** Of the span itself. */
    public static Place of(Span span) {
      return new Place(hex(span.getTraceId()), hex(span.getSpanId()));
    }

    /** Of the spans that are linked. */
    public static List<Place> linked(Span span) {
      return span.getLinksList().stream()
          .map(link -> new Place(hex(link.getTraceId()), hex(link.getSpanId())))
          .toList();
    }
  }

  public static TraceCollector start() {
    return startStalled(0);
  }

  /**
   * One that takes so many requests without keeping their spans: it sends the headers of the reply,
   * and never its body.
   */
  public static TraceCollector startStalled(int replies) {
    try {
      var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      var collector = new TraceCollector(server, replies);
      server.createContext(PATH, collector::receive);
      server.start();
      return collector;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The settings of an instance that traces this part of its claims and sends them here. */
  public Map<String, String> environment(double probability) {
    return environment(server.getAddress().getPort(), probability);
  }

  /** The same for a collector at another port of loopback. */
  public static Map<String, String> environment(int port, double probability) {
    return Map.of(
        "MANAGEMENT_OPENTELEMETRY_TRACING_EXPORT_OTLP_ENDPOINT",
        "http://127.0.0.1:" + port + PATH,
        "MANAGEMENT_TRACING_SAMPLING_PROBABILITY",
        Double.toString(probability));
  }

  private void receive(HttpExchange exchange) throws IOException {
    if (stalledReplies.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(200, 0);
      return;
    }
    try (exchange) {
      var body = exchange.getRequestBody().readAllBytes();
      bodies.add(new String(body, ISO_8859_1));
      for (var ofInstance : ExportTraceServiceRequest.parseFrom(body).getResourceSpansList()) {
        ofInstance.getScopeSpansList().forEach(scope -> spans.addAll(scope.getSpansList()));
      }
      exchange.sendResponseHeaders(200, -1);
    }
  }

  /** The spans of a trace, in the order of their begin. */
  public List<Span> trace(String traceId) {
    var ofTrace = new ArrayList<>(spans);
    ofTrace.removeIf(span -> !hex(span.getTraceId()).equals(traceId));
    ofTrace.sort(
        (one, other) -> Long.compare(one.getStartTimeUnixNano(), other.getStartTimeUnixNano()));
    return ofTrace;
  }

  /** The span at that place. */
  public Span span(Place place) {
    return spans.stream()
        .filter(span -> Place.of(span).equals(place))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no span " + place));
  }

  /** How many replies are still to be sent without their body. */
  public int stalledReplies() {
    return stalledReplies.get();
  }

  /** All that was received, each byte as a character. */
  public String received() {
    return String.join("\n", bodies);
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
