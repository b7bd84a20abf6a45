package io.firstcome.systemtests.kit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A receiver of webhooks, which remembers the requests that it has answered with success. */
public final class WebhookReceiver implements AutoCloseable {

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Message> taken = new ArrayList<>();
  private final List<Message> seen = new ArrayList<>();

  /**
   * A request.
   *
   * @param signatures the header, with spaces between signatures
   */
  public record Message(String id, String timestamp, String signatures, String body) {

    /** Whether one of its signatures is of this secret. */
    public boolean isSignedWith(String secret) {
      try {
        var key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        var content = "%s.%s.%s".formatted(id, timestamp, body);
        var code = mac.doFinal(content.getBytes(StandardCharsets.UTF_8));
        var signature = "v1," + Base64.getEncoder().encodeToString(code);
        return List.of(signatures.split(" ")).contains(signature);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }

    Stream<JsonNode> events() {
      return JsonMapper.shared().readTree(body).valueStream();
    }
  }

  private WebhookReceiver(ToIntFunction<Message> behaviour, String location) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, behaviour, location));
    server.start();
  }

  /** A receiver that takes everything. */
  public static WebhookReceiver willing() {
    return answering(_ -> 204);
  }

  /** A receiver that answers each message with the status that the function gives. */
  public static WebhookReceiver answering(ToIntFunction<Message> behaviour) {
    return new WebhookReceiver(behaviour, "");
  }

  /** A receiver that redirects everything to another address. */
  public static WebhookReceiver redirecting(String location) {
    return new WebhookReceiver(_ -> 307, location);
  }

  private void answer(HttpExchange exchange, ToIntFunction<Message> behaviour, String location)
      throws IOException {
    var headers = exchange.getRequestHeaders();
    var message =
        new Message(
            headers.getFirst("webhook-id"),
            headers.getFirst("webhook-timestamp"),
            headers.getFirst("webhook-signature"),
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    synchronized (this) {
      seen.add(message);
    }
    int status = behaviour.applyAsInt(message);
    if (status < 300) {
      synchronized (this) {
        taken.add(message);
      }
    }
    if (!location.isEmpty()) {
      exchange.getResponseHeaders().set("Location", location);
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  public String url() {
    return "http://127.0.0.1:%d/hooks".formatted(server.getAddress().getPort());
  }

  /** The messages that were answered with success. */
  public synchronized List<Message> taken() {
    return List.copyOf(taken);
  }

  /** All messages, also those that were refused. */
  public synchronized List<Message> seen() {
    return List.copyOf(seen);
  }

  /** The type and revision of each event of the subject that was taken, as in "used 2". */
  public List<String> storyOf(String subject) {
    return taken().stream()
        .flatMap(Message::events)
        .filter(event -> event.path("subject").asString().equals(subject))
        .map(event ->
            "%s %s"
                .formatted(
                    event.path("type").asString().replaceFirst(".*\\.", ""),
                    event.path("data").path("revision").asString("")))
        .toList();
  }

  /** The ids of all events that were taken, without repetitions. */
  public List<String> eventIds() {
    return taken().stream()
        .flatMap(Message::events)
        .map(event -> event.path("id").asString())
        .distinct()
        .toList();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
