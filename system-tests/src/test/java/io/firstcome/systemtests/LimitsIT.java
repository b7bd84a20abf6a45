package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests beyond the limits of a caller, of an address, and of what is handled at a time. */
@Tag("slow")
@ExtendWith(QuietLogs.class)
class LimitsIT {

  private static final int FEW = 3;
  private static final int CONCURRENT = 8;

  /** So long that no request comes back during a test. */
  private static final Map<String, String> FEW_REQUESTS =
      Map.of(
          "FIRSTCOME_LIMITS_REQUESTS_WINDOW", "1h",
          "FIRSTCOME_LIMITS_REQUESTS_CLAIMS", Integer.toString(FEW),
          "FIRSTCOME_LIMITS_REQUESTS_READS", Integer.toString(FEW),
          "FIRSTCOME_LIMITS_REQUESTS_REDEMPTIONS", Integer.toString(FEW),
          "FIRSTCOME_LIMITS_REQUESTS_SHOP", Integer.toString(FEW),
          "FIRSTCOME_LIMITS_REQUESTS_OPERATOR", Integer.toString(FEW),
          "FIRSTCOME_LIMITS_REQUESTS_ADDRESS", "10");

  private static final Map<String, String> ONE_AT_A_TIME =
      Map.of(
          "FIRSTCOME_LIMITS_LOAD_LEASTCLAIMS", "1",
          "FIRSTCOME_LIMITS_LOAD_LEASTREQUESTS", "1",
          "FIRSTCOME_LIMITS_LOAD_WAITINGTIME", "1ms",
          "FIRSTCOME_LIMITS_LOAD_MOSTCONCURRENT", "1");

  private static final Map<String, String> ONE_AND_OTHERS_WAIT =
      Map.of(
          "FIRSTCOME_LIMITS_LOAD_LEASTREQUESTS", "1",
          "FIRSTCOME_LIMITS_LOAD_LEASTCLAIMS", "1",
          "FIRSTCOME_LIMITS_LOAD_WAITINGTIME", "4s",
          "FIRSTCOME_LIMITS_LOAD_MOSTCONCURRENT", "1",
          "FIRSTCOME_LIMITS_REQUESTS_READS", "10000");

  /** Of the list of coupons, of which each is at least thirty kilobytes. */
  private static final int UNREAD = 1_000;

  private static final String LIST_OF_COUPONS =
      """
      GET /api/v1/coupons?limit=100 HTTP/1.1\r
      Host: 127.0.0.1\r
      X-Gateway-Secret: %s\r
      X-User-Id: slow\r
      \r
      """
          .formatted(ServiceProcess.GATEWAY_SECRET);

  private static final Duration SLOW = Duration.ofMillis(400);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @Test
  void a_caller_may_send_so_many_requests_of_each_kind() {
    var world = World.get();
    var coupon = world.define(aCoupon());
    try (var service = World.ready(world.start("few-requests", FEW_REQUESTS))) {
      var ann = Users.one();
      var bob = Users.one();

      var claims = times(FEW + 1, service, Call.claim(coupon).as(ann));
      assertThat(claims.getFirst().status()).isEqualTo(202);
      assertThat(claims.getFirst().header("ratelimit")).isEmpty();
      assertThat(claims.get(FEW - 1).status()).isEqualTo(200);
      assertThat(claims.get(FEW - 1).header("ratelimit")).startsWith("\"claim\";r=0;t=");
      assertIsTooMany(claims.getLast(), "claim");

      assertIsTooMany(times(FEW + 1, service, Call.status(coupon).as(ann)).getLast(), "coupon");
      var wallet = Call.get("/api/v1/me/coupons");
      assertIsTooMany(times(FEW + 1, service, wallet.as(ann)).getLast(), "read");
      assertIsTooMany(
          times(FEW + 1, service, Call.of("POST", "/api/v1/me/quotes").as(ann).json("{}"))
              .getLast(),
          "redemption");
      var redemptions = Call.get("/api/v1/redemptions?orderId=o");
      assertIsTooMany(
          times(FEW + 1, service, redemptions.shop("berlin").as(bob)).getLast(), "shop");
      var coupons = Call.get("/api/v1/admin/coupons").operator();
      assertIsTooMany(times(FEW + 1, service, coupons.as("olga")).getLast(), "operator");
      var unnamed = Call.get("/api/v1/admin/coupons").header("X-Scopes: coupon:read");
      assertIsTooMany(times(FEW + 1, service, unnamed).getLast(), "operator");

      assertThat(World.send(service, Call.claim(coupon).as(bob)).status()).isEqualTo(202);
      assertThat(World.send(service, Call.status(coupon).as(bob)).status()).isEqualTo(200);
      assertThat(World.send(service, redemptions.shop("london").as(bob)).status()).isEqualTo(200);
      assertThat(World.send(service, coupons.as("omar")).status()).isEqualTo(200);
    }
  }

  @Test
  void an_address_may_send_so_many_requests_whoever_its_users_are() throws IOException {
    var world = World.get();
    var coupon = world.define(aCoupon());
    try (var service = World.ready(world.start("few-of-an-address", FEW_REQUESTS))) {
      var answers =
          IntStream.rangeClosed(1, 11)
              .mapToObj(i ->
                  World.send(
                      service,
                      Call.claim(coupon)
                          .as(Users.one())
                          .header("X-Forwarded-For: 203.0.113.%d, 198.51.100.7".formatted(i))))
              .toList();

      assertThat(answers.subList(0, 10)).extracting(Answer::status).containsOnly(202);
      assertIsTooMany(answers.getLast(), "address");
      // Before the caller is authenticated.
      assertIsTooMany(
          World.send(
              service,
              Call.bare("GET", "/api/v1/me/coupons").header("X-Forwarded-For: 198.51.100.7")),
          "address");
      // Before its form is read.
      assertThat(answerToForm(service, "198.51.100.7")).startsWith("HTTP/1.1 429");
      assertThat(
              World.send(
                      service,
                      Call.claim(coupon).as(Users.one()).header("X-Forwarded-For: 198.51.100.8"))
                  .status())
          .isEqualTo(202);
      assertThat(World.send(service, Call.claim(coupon).as(Users.one())).status())
          .as("a request of the proxy itself")
          .isEqualTo(202);
      assertThat(World.metric(service, "firstcome_requests_refused_total", "of=\"address\""))
          .isEqualTo(3);
    }
  }

  /** It sends no body: what is answered before the body is read. */
  private static String answerToForm(ServiceProcess service, String address) throws IOException {
    var head =
        """
        POST /console/sign-in HTTP/1.1\r
        Host: 127.0.0.1\r
        X-Gateway-Secret: %s\r
        X-Forwarded-For: %s\r
        Content-Type: application/x-www-form-urlencoded\r
        Content-Length: 10\r
        \r
        """
            .formatted(ServiceProcess.GATEWAY_SECRET, address);
    try (var client = new Socket(Ports.loopback(), service.port())) {
      client.getOutputStream().write(head.getBytes(US_ASCII));
      return new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII))
          .readLine();
    }
  }

  @Test
  void a_claim_beyond_those_that_are_handled_at_a_time_is_refused_at_once() throws Exception {
    var world = World.behindProxies();
    var coupon = world.define(aCoupon());
    try (var service = World.ready(world.start("one-at-a-time", ONE_AT_A_TIME));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(World.send(service, Call.claim(coupon).as(Users.one())).status()).isEqualTo(202);
      world.links().redis().delay(SLOW);
      try {
        var claims =
            Users.some(CONCURRENT).stream()
                .map(user -> claim(threads, service, Call.claim(coupon).as(user)))
                .toList();
        var answers = new ArrayList<Answer>();
        for (var one : claims) {
          answers.add(one.get());
        }
        assertThat(answers).anyMatch(answer -> answer.status() == 202);
        assertThat(answers).as("a claim is refused").anyMatch(answer -> answer.status() == 503);
        assertThat(answers)
            .filteredOn(answer -> answer.status() != 202)
            .allSatisfy(LimitsIT::assertOverloaded);
      } finally {
        world.links().redis().heal();
      }
    }
  }

  private static void assertOverloaded(Answer answer) {
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.problem()).isEqualTo("overloaded");
    assertThat(Integer.parseInt(answer.header("retry-after"))).isBetween(1, 3);
  }

  @Test
  void a_caller_that_waits_for_its_row_does_not_count_as_handled() throws Exception {
    var world = World.behindProxies();
    var coupon = world.define(aCoupon());
    try (var service = World.ready(world.start("one-at-a-time-waiting", ONE_AT_A_TIME));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      world.links().amqp().refuse();
      try {
        var user = Users.one();
        var waiting = claim(threads, service, Call.claim(coupon).as(user).prefer("wait=5"));
        Await.until(
            LIMIT,
            "the first claim is accepted",
            () -> World.send(service, Call.status(coupon).as(user)).status() == 200);
        Await.until(
            LIMIT,
            "another claim is accepted",
            () -> World.send(service, Call.claim(coupon).as(Users.one())).status() == 202);
        assertThat(waiting.isDone()).as("the first one waits").isFalse();
        assertThat(waiting.get().status()).isEqualTo(202);
      } finally {
        world.links().amqp().heal();
      }
    }
  }

  /** The answers are longer than the buffers of a connection, which can be some megabytes. */
  @Test
  void a_client_that_does_not_read_its_answers_keeps_nothing_from_others() throws IOException {
    var world = World.get();
    var coupon = world.define(aCoupon());
    var longest = "\"" + "\uD83C\uDF81".repeat(200) + "\"";
    for (int i = 0; i < 20; i++) {
      world.define(aCoupon().with("name", longest));
    }
    try (var service = World.ready(world.start("one-at-a-time-unread", ONE_AND_OTHERS_WAIT));
        var client = new Socket()) {
      // The first list takes seconds on a slow machine, since its code is not compiled yet.
      var list = Call.get("/api/v1/coupons?limit=100").as(Users.one());
      assertThat(World.send(service, list).status()).isEqualTo(200);
      client.setReceiveBufferSize(1);
      client.connect(new InetSocketAddress(Ports.loopback(), service.port()));
      client.getOutputStream().write(LIST_OF_COUPONS.repeat(UNREAD).getBytes(US_ASCII));

      var status = Call.get("/api/v1/coupons/" + coupon).as(Users.one());
      Await.until(
          LIMIT,
          "the service has closed the connection",
          () -> {
            assertThat(World.send(service, status).status()).isEqualTo(200);
            return isClosed(client);
          });
    }
  }

  /** Whether the service has closed the connection, on which it has not read all requests. */
  private static boolean isClosed(Socket client) {
    try {
      client.getOutputStream().write('G');
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static Future<Answer> claim(ExecutorService threads, ServiceProcess service, Call call) {
    return threads.submit(() -> World.send(service, call));
  }

  private static List<Answer> times(int number, ServiceProcess service, Call call) {
    return IntStream.range(0, number).mapToObj(_ -> World.send(service, call)).toList();
  }

  private static void assertIsTooMany(Answer answer, String quota) {
    assertProblem(answer, 429, "too-many-requests");
    assertThat(answer.header("ratelimit")).startsWith("\"%s\";r=0;t=".formatted(quota));
    assertThat(answer.header("ratelimit-policy")).startsWith("\"%s\";q=".formatted(quota));
    assertThat(Integer.parseInt(answer.header("retry-after"))).isPositive();
  }
}
