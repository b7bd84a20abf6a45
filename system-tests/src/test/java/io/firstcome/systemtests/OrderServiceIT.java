package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.process.ChildProcess;
import io.firstcome.devservices.process.LeftOver;
import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sample order service, as it is packaged. */
@Timeout(120)
class OrderServiceIT {

  private static final Path JAR =
      Path.of(System.getProperty("firstcome.launcher"))
          .resolveSibling("examples/order-service/target/order-service-runnable.jar");
  private static final String READY = "The order service is at";

  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  private final World world = World.get();
  private final HttpClient http = HttpClient.newHttpClient();
  private ChildProcess process;
  private URI orderService;

  @BeforeEach
  void start() throws IOException {
    var folder =
        Files.createDirectories(Path.of(System.getProperty("firstcome.work"), "order-service"));
    var log = folder.resolve("log");
    int port = Ports.free();
    Files.deleteIfExists(log);
    LeftOver.end(folder.resolve("pid"));
    process =
        ChildProcess.start(
            new ChildProcess.Command(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-jar",
                    JAR.toString()),
                Map.of(
                    "PORT",
                    Integer.toString(port),
                    "FIRSTCOME_URL",
                    "http://127.0.0.1:" + world.servicePort(),
                    "FIRSTCOME_GATEWAY_SECRET",
                    ServiceProcess.GATEWAY_SECRET)),
            folder,
            folder.resolve("pid"),
            log);
    orderService = URI.create("http://127.0.0.1:" + port);
    Await.until(START_LIMIT, "the order service is ready", () -> read(log).contains(READY));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void stop() {
    process.kill();
  }

  private String codeOfANewCustomer() {
    var coupon = world.define(aCoupon());
    var claimed = world.send(Call.claim(coupon).as(Users.one()).prefer("wait=10"));
    assertThat(claimed.status()).as(claimed.body()).isEqualTo(201);
    return claimed.json().path("code").asString();
  }

  private HttpResponse<String> sell(String orderId, String code, long minorUnits)
      throws IOException, InterruptedException {
    return post(
        "/orders",
        "{\"orderId\":\"%s\",\"customer\":\"ann\",\"code\":\"%s\",\"minorUnits\":%d}"
            .formatted(orderId, code, minorUnits));
  }

  private HttpResponse<String> cancel(String orderId) throws IOException, InterruptedException {
    return post("/cancellations", "{\"orderId\":\"%s\"}".formatted(orderId));
  }

  private HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(orderService.resolve(path))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static String anOrder() {
    return "order-" + System.nanoTime();
  }

  @Test
  void an_order_is_sold_with_a_coupon_once_and_repeated_safely() throws Exception {
    var code = codeOfANewCustomer();
    var order = anOrder();

    var sold = sell(order, code, 3_000);
    assertThat(sold.statusCode()).as(sold.body()).isEqualTo(200);
    assertThat(sold.body()).contains("\"paid\"");

    assertThat(sell(order, code, 3_000).body()).isEqualTo(sold.body());
    var other = sell(anOrder(), code, 3_000);
    assertThat(other.statusCode()).isEqualTo(409);
    assertThat(other.body()).contains("already-used");
  }

  @Test
  void after_a_declined_payment_the_coupon_can_be_used_on_another_order() throws Exception {
    var code = codeOfANewCustomer();

    assertThat(sell(anOrder(), code, 9_000_000).statusCode()).isEqualTo(402);

    assertThat(sell(anOrder(), code, 3_000).statusCode()).isEqualTo(200);
  }

  @Test
  void a_cancelled_order_is_not_sold_again_and_its_coupon_can_be_used_on_another_one()
      throws Exception {
    var code = codeOfANewCustomer();
    var order = anOrder();
    sell(order, code, 3_000);

    assertThat(cancel(order).statusCode()).isEqualTo(200);
    assertThat(cancel(order).statusCode()).as("repeated").isEqualTo(200);

    assertThat(sell(order, code, 3_000).body()).contains("cancelled");
    assertThat(sell(anOrder(), code, 3_000).statusCode()).isEqualTo(200);
  }

  @Test
  void an_order_has_one_coupon() throws Exception {
    var order = anOrder();
    sell(order, codeOfANewCustomer(), 3_000);
    var second = codeOfANewCustomer();

    assertThat(sell(order, second, 3_000).body()).contains("another coupon");

    assertThat(sell(anOrder(), second, 3_000).statusCode()).as("it is free").isEqualTo(200);
  }

  @Test
  void a_wrong_code_or_body_is_refused() throws Exception {
    var wrongCode = sell(anOrder(), "0000000000000000", 3_000);
    assertThat(wrongCode.statusCode()).isEqualTo(409);
    assertThat(wrongCode.body()).contains("unknown-code");

    assertThat(sell("no order id", "\"", 3_000).statusCode()).isEqualTo(400);
  }
}
