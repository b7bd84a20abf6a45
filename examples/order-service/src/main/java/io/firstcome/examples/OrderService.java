package io.firstcome.examples;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.firstcome.client.Credentials;
import io.firstcome.client.Firstcome;
import io.firstcome.client.RefusedException;
import io.firstcome.client.UnansweredException;
import io.firstcome.client.model.Money;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The HTTP side of the sample: {@code POST /orders} with {@code {"orderId", "customer", "code",
 * "minorUnits"}} sells an order, {@code POST /cancellations} with {@code {"orderId"}} cancels it.
 * Payments are only kept in memory; those of more than 1,000.00 are declined.
 *
 * <p>A real service stores its orders, and calls {@link Checkout#resume} for the unfinished ones
 * when it starts.
 */
public final class OrderService implements AutoCloseable {

  private static final int THREADS = 8;
  private static final long MOST_MINOR_UNITS = 100_000;

  private final ObjectMapper json = new ObjectMapper();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final HttpServer server;
  private final Checkout checkout;

  /** What a customer sends. */
  public record OrderRequest(String orderId, String customer, String code, long minorUnits) {}

  /** The order to cancel. */
  public record CancellationRequest(String orderId) {}

  /**
   * Starts the service.
   *
   * @param port 0 for any free one
   */
  public OrderService(Firstcome shop, int port) throws IOException {
    checkout = new Checkout(shop, new PaymentsInMemory());
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext("/orders", exchange -> handle(exchange, this::sell));
    server.createContext("/cancellations", exchange -> handle(exchange, this::cancel));
    server.start();
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private record Answer(int status, Object body) {

    static Answer error(int status, String message) {
      return new Answer(status, Map.of("error", message));
    }
  }

  @FunctionalInterface
  private interface Operation {
    Object run(InputStream body)
        throws IOException, Checkout.NotSold, Checkout.Pending, InterruptedException;
  }

  private void handle(HttpExchange exchange, Operation operation) throws IOException {
    try (exchange) {
      var answer = answer(exchange, operation);
      var body = json.writeValueAsBytes(answer.body());
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private Answer answer(HttpExchange exchange, Operation operation) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) {
      return Answer.error(405, "only POST");
    }
    try {
      return new Answer(200, operation.run(exchange.getRequestBody()));
    } catch (JsonProcessingException e) {
      return Answer.error(400, "the body is not as expected");
    } catch (RefusedException e) {
      return Answer.error(409, "the coupon was refused: " + e.type());
    } catch (Checkout.NotSold e) {
      return Answer.error(402, e.reason());
    } catch (Checkout.Pending e) {
      return Answer.error(202, "the payment is pending");
    } catch (UnansweredException e) {
      return Answer.error(503, "the state of the order is unknown: send the same request again");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.error(503, "the order service is being stopped: send the same request again");
    }
  }

  private Object sell(InputStream body)
      throws IOException, Checkout.NotSold, Checkout.Pending, InterruptedException {
    var order = json.readValue(body, OrderRequest.class);
    var amount = new Money().minorUnits(order.minorUnits()).currency("EUR");
    return checkout.sell(order.orderId(), order.code(), order.customer(), amount);
  }

  private Object cancel(InputStream body) throws IOException, InterruptedException {
    var orderId = json.readValue(body, CancellationRequest.class).orderId();
    checkout.cancel(orderId, "cancelled by the customer");
    return Map.of("cancelled", orderId);
  }

  private static final class PaymentsInMemory implements Checkout.Payments {

    private final Map<String, State> states = new ConcurrentHashMap<>();

    @Override
    public State pay(String orderId, Money amount) {
      return states.computeIfAbsent(
          orderId,
          _order -> amount.getMinorUnits() <= MOST_MINOR_UNITS ? State.PAID : State.DECLINED);
    }

    @Override
    public State stateOf(String orderId) {
      return states.getOrDefault(orderId, State.DECLINED);
    }

    @Override
    public void refund(String orderId) {
      states.put(orderId, State.DECLINED);
    }
  }

  /**
   * Serves {@code PORT}, 8090 if it is not set, until the process is stopped. {@code FIRSTCOME_URL}
   * and {@code FIRSTCOME_GATEWAY_SECRET} name the service; usually it is that of {@code ./firstcome
   * up}.
   */
  public static void main(String[] arguments) throws Exception {
    var settings = System.getenv();
    var firstcome = settings.getOrDefault("FIRSTCOME_URL", "http://127.0.0.1:8080");
    var secret = settings.getOrDefault("FIRSTCOME_GATEWAY_SECRET", "local");
    int port = Integer.parseInt(settings.getOrDefault("PORT", "8090"));
    var shop =
        Firstcome.at(
            URI.create(firstcome),
            Credentials.gateway(secret).withShop("berlin").withScopes("coupon:redeem"));
    try (var service = new OrderService(shop, port)) {
      System.out.println("The order service is at " + service.url() + "/orders. Stop with Ctrl-C.");
      Thread.currentThread().join();
    }
  }
}
