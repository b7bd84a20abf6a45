package io.firstcome.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.firstcome.client.model.Claim;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client and a server that answers with what a test has prepared. */
@Timeout(30)
class FirstcomeTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String CLAIMED =
      """
      {"outcome":"ACCEPTED","couponId":"SUMMER","userCouponId":"SUMMER.0000000000000000","slot":7,
       "code":"0000000000000000","state":"A_LATER_STATE","memberOfALaterVersion":1}\
      """;

  private record Prepared(int status, @Nullable String retryAfter, String body) {}

  private final Queue<Prepared> answers = new ArrayDeque<>();
  private final List<String> requests = new ArrayList<>();
  private HttpServer server;
  private Firstcome ann;

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    ann = client(Credentials.gateway("secret").withUser("ann"));
  }

  @AfterEach
  void stopServer() {
    server.stop(0);
  }

  private Firstcome client(Credentials credentials) {
    var service = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    return Firstcome.at(
        service, credentials, HttpClient.newHttpClient(), new Retries(new NoRandomTime()));
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    requests.add(
        "%s %s %s"
            .formatted(
                exchange.getRequestMethod(),
                exchange.getRequestURI(),
                exchange.getRequestHeaders().getFirst("X-User-Id")));
    var answer = answers.remove();
    try (exchange) {
      if (answer.status() == 0) {
        return;
      }
      if (answer.retryAfter() != null) {
        exchange.getResponseHeaders().set("Retry-After", answer.retryAfter());
      }
      var body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private void willAnswer(int status, String body) {
    answers.add(new Prepared(status, null, body));
  }

  private void willRefuse(int status, String type) {
    willAnswer(
        status,
        """
        {"type":"urn:firstcome:problem:%s","title":"A title","status":%d,"detail":"A detail."}\
        """
            .formatted(type, status));
  }

  private void willCloseTheConnection() {
    willAnswer(0, "");
  }

  private static Claim claimOf(ClaimResult result) {
    return ((ClaimResult.Claimed) result).claim();
  }

  @Test
  void a_claim_is_sent_with_the_credentials_and_answered_with_slot_and_code() throws Exception {
    willAnswer(202, CLAIMED);

    var claim = claimOf(ann.claim("SUMMER", PATIENCE));

    assertThat(claim.getSlot()).isEqualTo(7);
    assertThat(claim.getOutcome()).isEqualTo(Claim.OutcomeEnum.ACCEPTED);
    assertThat(requests).containsExactly("POST /api/v1/coupons/SUMMER/claims ann");
  }

  /** The prepared answer has a member and a value that this client does not know. */
  @Test
  void what_a_later_service_adds_is_ignored() throws Exception {
    willAnswer(202, CLAIMED);

    assertThat(claimOf(ann.claim("SUMMER", PATIENCE)).getState())
        .isEqualTo(Claim.StateEnum.UNKNOWN_DEFAULT_OPEN_API);
  }

  @Test
  void a_claim_is_repeated_until_its_answer_is_final() throws Exception {
    willRefuse(503, "outcome-unknown");
    willRefuse(503, "recovering");
    willRefuse(429, "too-many-requests");
    willRefuse(500, "internal-error");
    willAnswer(502, "<html>no service</html>");
    willCloseTheConnection();
    willAnswer(200, CLAIMED);

    assertThat(claimOf(ann.claim("SUMMER", PATIENCE)).getSlot()).isEqualTo(7);
    assertThat(requests).hasSizeGreaterThanOrEqualTo(7);
    assertThat(answers).isEmpty();
  }

  @Test
  void a_definitive_refusal_is_a_result() throws Exception {
    willRefuse(409, "sold-out");

    assertThat(ann.claim("SUMMER", PATIENCE))
        .isInstanceOfSatisfying(
            ClaimResult.Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo("sold-out");
              assertThat(refused.problem().getDetail()).isEqualTo("A detail.");
            });
    assertThat(requests).hasSize(1);
  }

  @Test
  void a_wrong_call_is_an_exception() {
    willRefuse(404, "unknown-coupon");

    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> ann.claim("NOWHERE", PATIENCE))
        .satisfies(e -> assertThat(e.type()).isEqualTo("unknown-coupon"));
    assertThat(requests).hasSize(1);
  }

  @Test
  void an_answer_of_a_gateway_without_a_problem_is_an_exception_with_its_status() {
    willAnswer(403, "<html>forbidden</html>");

    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> ann.claim("SUMMER", PATIENCE))
        .satisfies(e -> assertThat(e.problem().getStatus()).isEqualTo(403));
  }

  @Test
  void refusals_that_end_by_themselves_are_repeated() throws Exception {
    willRefuse(409, "not-yet-issued");
    willRefuse(409, "concurrent-change");
    willAnswer(204, "");

    ann.repeat(
        PATIENCE,
        () -> {
          ann.wallet().returnUserCoupon("SUMMER.0000000000000000");
          return true;
        });

    assertThat(requests).hasSize(3);
  }

  @Test
  void retry_after_is_observed() throws Exception {
    answers.add(new Prepared(503, "1", "{}"));
    willAnswer(200, CLAIMED);
    long before = System.nanoTime();

    ann.claim("SUMMER", PATIENCE);

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(990));
  }

  @Test
  void without_time_for_another_attempt_the_call_is_given_up_at_once() {
    answers.add(new Prepared(503, "60", "{}"));

    assertThatExceptionOfType(UnansweredException.class)
        .isThrownBy(() -> ann.claim("SUMMER", PATIENCE))
        .withMessageContaining("1 attempt");
    assertThat(requests).hasSize(1);
  }

  @Test
  void an_interrupt_ends_the_call() {
    Thread.currentThread().interrupt();

    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> ann.claim("SUMMER", PATIENCE));
  }

  /** Each would have threads and connections of its own. */
  @Test
  void all_callers_share_connections() {
    var service = URI.create("http://127.0.0.1:1");
    var threads = ThreadsOfHttpClients.count();

    for (int i = 0; i < 100; i++) {
      Firstcome.at(service, Credentials.gateway("secret").withUser("user-" + i)).claims();
    }

    assertThat(ThreadsOfHttpClients.count()).isLessThanOrEqualTo(threads + 1);
  }

  @Test
  void credentials_are_not_printed() {
    assertThat(Credentials.gateway("secret").withShop("berlin").withScopes("coupon:redeem"))
        .hasToString("GatewayCredentials[user=null, shop=berlin, scopes=coupon:redeem]");
  }

  private static final class ThreadsOfHttpClients {
    static long count() {
      return Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("HttpClient-"))
          .filter(thread -> thread.getName().endsWith("SelectorManager"))
          .count();
    }
  }

  /** So that a test need not wait. */
  private static final class NoRandomTime implements RandomGenerator {
    @Override
    public long nextLong() {
      return 0;
    }

    @Override
    public long nextLong(long bound) {
      return 0;
    }
  }
}
