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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The HTTP side of the sample: {@code POST /orders} with {@code {"orderId", "code", "minorUnits"}}
 * sells an order. Payments are only remembered, and those of more than 1,000.00 are declined.
 */
public final class OrderService implements AutoCloseable {

  private static final int THREADS = 8;
  private static final long MOST_MINOR_UNITS = 100_000;

  private final ObjectMapper json = new ObjectMapper();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final HttpServer server;
  private final Checkout checkout;

  /** What a customer sends. */
  public record OrderRequest(String orderId, String code, long minorUnits) {}

  /**
   * Starts the service.
   *
   * @param port 0 for any free one
   */
  public OrderService(Firstcome shop, int port) throws IOException {
    checkout = new Checkout(shop, new RememberedPayments());
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext("/orders", this::handle);
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

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var answer = answer(exchange);
      var body = json.writeValueAsBytes(answer.body());
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) {
      return Answer.error(405, "only POST");
    }
    try {
      var order = json.readValue(exchange.getRequestBody(), OrderRequest.class);
      var amount = new Money().minorUnits(order.minorUnits()).currency("EUR");
      return new Answer(201, checkout.sell(order.orderId(), order.code(), amount));
    } catch (JsonProcessingException e) {
      return Answer.error(400, "not an order");
    } catch (RefusedException e) {
      return Answer.error(409, "the coupon was refused: " + e.type());
    } catch (Checkout.PaymentDeclined e) {
      return Answer.error(402, "the payment was declined");
    } catch (UnansweredException e) {
      return Answer.error(503, "coupons cannot be used at the moment");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.error(503, "the order service is being stopped");
    }
  }

  private static final class RememberedPayments implements Checkout.Payments {

    private final Set<String> paid = ConcurrentHashMap.newKeySet();

    @Override
    public boolean pay(String orderId, Money amount) {
      return amount.getMinorUnits() <= MOST_MINOR_UNITS && (paid.add(orderId) || isPaid(orderId));
    }

    @Override
    public boolean isPaid(String orderId) {
      return paid.contains(orderId);
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
      System.out.println("Sells at " + service.url() + "/orders until Ctrl-C");
      Thread.currentThread().join();
    }
  }
}
