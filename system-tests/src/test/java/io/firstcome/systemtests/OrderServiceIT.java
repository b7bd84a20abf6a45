package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sample order service, as it is packaged. */
@Timeout(120)
class OrderServiceIT {

  private static final Path JAR =
      Path.of(System.getProperty("firstcome.launcher"))
          .resolveSibling("examples/order-service/target/order-service.jar");
  private static final Pattern ADDRESS = Pattern.compile("http:\\S+(?=/orders)");

  private final World world = World.get();
  private final HttpClient http = HttpClient.newHttpClient();
  private Process process;
  private URI orderService;

  @BeforeEach
  void start() throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var service = new ProcessBuilder(java, "-jar", JAR.toString());
    service.environment().put("PORT", "0");
    service.environment().put("FIRSTCOME_URL", "http://127.0.0.1:" + world.servicePort());
    service.environment().put("FIRSTCOME_GATEWAY_SECRET", ServiceProcess.GATEWAY_SECRET);
    process = service.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    var output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    var line = String.valueOf(output.readLine());
    var address = ADDRESS.matcher(line);
    assertThat(address.find()).as(line).isTrue();
    orderService = URI.create(address.group());
  }

  @AfterEach
  void stop() {
    process.destroyForcibly();
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
