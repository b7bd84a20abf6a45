package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Operators rehearse a drop with ten thousand synthetic users, and forecast it. */
@Tag("slow")
@ExtendWith(QuietLogs.class)
class RehearsalIT {

  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** The error of a forecast that docs/console.md states, as a share of what is measured. */
  private static final double STATED_ERROR = 0.5;

  /** The median of three: other programs of the machine can slow down one of two rehearsals. */
  private static final int PAIRS = 3;

  private final World world = World.get();

  private Answer start(String coupon, String plan) {
    return world.send(
        Call.of("POST", "/api/v1/admin/coupons/" + coupon + "/rehearsals").operator().json(plan));
  }

  private Answer read(String id) {
    return world.send(Call.get("/api/v1/admin/rehearsals/" + id).operator());
  }

  /** Waits until the rehearsal has ended and all of it is removed. */
  private Answer ended(Answer started) {
    assertThat(started.status()).as(started.body()).isEqualTo(202);
    var id = started.text("rehearsalId");
    assertThat(started.header("location")).isEqualTo("/api/v1/admin/rehearsals/" + id);
    Await.until(
        LIMIT,
        () -> "the rehearsal ends: " + read(id).body(),
        () -> read(id).text("state").equals("REMOVED") || read(id).text("state").equals("STOPPED"));
    return read(id);
  }

  private static String plan(int users, int quantity) {
    return """
    {"users":%d,"quantity":%d,"shape":"AT_ONCE","besideOpenCoupons":true}\
    """
        .formatted(users, quantity);
  }

  @Test
  void ten_thousand_users_are_answered_exactly_and_nothing_of_them_stays()
      throws IOException, SQLException {
    var coupon = world.define(aCoupon().withTotal(1_000));
    try (var events = events()) {
      var ended = ended(start(coupon, plan(10_000, 1_000)));

      var result = ended.json().path("result");
      assertThat(result.path("exact").asBoolean()).as(ended.body()).isTrue();
      assertThat(result.path("accepted").asInt()).isEqualTo(1_000);
      assertThat(result.path("soldOut").asInt()).isEqualTo(9_000);
      assertThat(result.path("refused").asInt()).isZero();
      assertThat(result.path("failed").asInt()).isZero();
      assertThat(result.path("p99Millis").asDouble()).isPositive();
      assertThat(result.path("recordedMillis").asLong())
          .isGreaterThanOrEqualTo(result.path("soldOutMillis").asLong());

      assertThat(events.rehearsed()).isGreaterThanOrEqualTo(10);
      assertThat(events.firstRehearsed()).contains("\"rehearsal\":true");
      var clone = ended.text("cloneId");
      assertThat(events.ofCoupon(clone)).isZero();
      assertNothingStays(clone);
    }
  }

  private void assertNothingStays(String clone) throws SQLException {
    assertThat(count("user_coupon_text WHERE coupon_id = '%s'".formatted(clone))).isZero();
    assertThat(count("user_coupon WHERE starts_with(user_id, 'REHEARSAL-')")).isZero();
    assertThat(count("event_outbox WHERE coupon_id = '%s'".formatted(clone))).isZero();
    assertThat(count("late_claim WHERE coupon_id = '%s'".formatted(clone))).isZero();
    assertThat(count("dead_letter WHERE coupon_id = '%s'".formatted(clone))).isZero();
    assertThat(
            count(
                "claim_count JOIN coupon USING (coupon_number) WHERE coupon_id = '%s'"
                    .formatted(clone)))
        .isZero();
    assertThat(world.redis().command("KEYS", "*" + clone + "*")).doesNotContain(clone);
    // It is archived, and no customer sees it.
    assertThat(world.send(Call.get("/api/v1/admin/coupons/" + clone).operator()).text("status"))
        .isEqualTo("ARCHIVED");
    assertThat(world.send(Call.get("/api/v1/coupons?limit=500").as("ann")).body())
        .doesNotContain(clone);
  }

  private long count(String from) throws SQLException {
    var postgres = world.postgres();
    try (var connection =
            DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
        var rows = connection.createStatement().executeQuery("SELECT count(*) FROM " + from)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Test
  void a_forecast_is_within_its_stated_error_of_what_is_measured_then() {
    var coupon = world.define(aCoupon().withTotal(4_000));
    assertProblem(forecast(coupon, 20_000, 4_000), 409, "not-rehearsed");
    // Else the code is compiled meanwhile, and each crowd is answered faster than the one before.
    ended(start(coupon, plan(10_000, 2_000)));

    var pairs = new ArrayList<Pair>();
    for (int i = 0; i < PAIRS; i++) {
      ended(start(coupon, plan(10_000, 2_000)));
      var forecast = forecast(coupon, 20_000, 4_000);
      assertThat(forecast.status()).as(forecast.body()).isEqualTo(200);
      pairs.add(
          new Pair(
              forecast.json(), ended(start(coupon, plan(20_000, 4_000))).json().path("result")));
    }

    for (var figure :
        List.of(
            "soldOutMillis",
            "answeredMillis",
            "recordedMillis",
            "mostAnswersPerSecond",
            "stockBytes")) {
      var errors = pairs.stream().map(pair -> pair.error(figure)).sorted().toList();
      assertThat(errors.get(PAIRS / 2))
          .as("%s: %s of %s", figure, errors, pairs)
          .isLessThanOrEqualTo(STATED_ERROR);
    }
    var forecast = pairs.getLast().forecast();
    assertThat(forecast.path("processorsNeeded").asInt()).isPositive();
    assertThat(forecast.path("instancesNeeded").asInt()).isPositive();
    assertThat(forecast.path("overloadedAnswers").asLong()).isNotNegative();
    assertThat(forecast.path("quantity").asInt()).isEqualTo(4_000);
  }

  /** What was expected of a rehearsal, and what was measured then. */
  private record Pair(JsonNode forecast, JsonNode measured) {

    /** The difference as a share of what was measured. */
    double error(String figure) {
      double found = measured.path(figure).asDouble();
      return Math.abs(forecast.path(figure).asDouble() - found) / found;
    }
  }

  private Answer forecast(String coupon, int users, int quantity) {
    return forecast(
        coupon, "users=%d&quantity=%d&instances=1&sendsClaims=true".formatted(users, quantity));
  }

  private Answer forecast(String coupon, String query) {
    return world.send(
        Call.get("/api/v1/admin/coupons/%s/forecast?%s".formatted(coupon, query)).operator());
  }

  @Test
  void one_can_be_stopped_a_second_one_waits_for_its_end_and_no_customer_takes_part() {
    var coupon = world.define(aCoupon().withTotal(10));
    var started =
        start(
            coupon,
            """
            {"users":100000,"quantity":10,"shape":"RAMP","seconds":120,"besideOpenCoupons":true}\
            """);
    assertThat(started.status()).isEqualTo(202);
    assertProblem(start(coupon, plan(10, 10)), 409, "rehearsal-in-progress");

    var id = started.text("rehearsalId");
    Await.until(LIMIT, "claims are answered", () -> read(id).json().path("answered").asInt() > 0);
    assertProblem(world.send(Call.claim(started.text("cloneId")).as("ann")), 404, "unknown-coupon");

    var self = "/api/v1/admin/rehearsals/" + id;
    assertThat(world.send(Call.of("DELETE", self).operator()).status()).isEqualTo(204);

    var ended = ended(started);
    assertThat(ended.text("state")).isEqualTo("STOPPED");
    assertThat(ended.json().has("result")).isFalse();
    assertThat(ended.json().path("answered").asInt()).isLessThan(100_000);
  }

  @Test
  void what_cannot_be_rehearsed_is_refused_with_the_reason() {
    var coupon = world.define(aCoupon().withTotal(10));
    assertProblem(start(coupon, "{\"users\":10}"), 409, "coupon-is-open");
    assertProblem(start("UNKNOWN-1", plan(10, 10)), 404, "unknown-coupon");
    assertProblem(start(coupon, plan(0, 10)), 422, "invalid-rehearsal");
    assertProblem(start(coupon, plan(10, 1_000_001)), 422, "invalid-rehearsal");
    assertProblem(start(coupon, "{\"users\":1,\"shape\":\"X\"}"), 422, "invalid-rehearsal");
    assertProblem(start(coupon, "{\"users\":1,\"seconds\":601}"), 422, "invalid-rehearsal");
    assertProblem(start(coupon, "{}"), 422, "invalid-rehearsal");
    assertProblem(read("9999999"), 404, "unknown-rehearsal");
    assertProblem(read("x"), 404, "unknown-rehearsal");
    assertProblem(forecast(coupon, "users=x"), 400, "malformed-request");
    assertProblem(forecast(coupon, "users=5"), 409, "not-rehearsed");
    // Parameters that the call does not have are ignored, whatever their names are.
    assertProblem(forecast(coupon, "users=5&users%5B0%5D=1"), 409, "not-rehearsed");
    assertProblem(forecast(coupon, "users=5&plan.x=1&class.name=x"), 409, "not-rehearsed");
    assertProblem(
        world.send(Call.define(aCoupon().with("couponId", "\"REHEARSAL-MINE\"").json())),
        422,
        "invalid-coupon");
  }

  /** Everything that is published while it is open. */
  private Events events() throws IOException {
    try {
      var factory = new ConnectionFactory();
      factory.setUri(world.amqp().uri());
      return new Events(factory.newConnection().createChannel());
    } catch (TimeoutException | URISyntaxException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot reach the broker", e);
    }
  }

  private static final class Events implements AutoCloseable {

    private final Channel channel;
    private final String real;
    private final String rehearsed;

    Events(Channel channel) throws IOException {
      this.channel = channel;
      this.real = channel.queueDeclare().getQueue();
      this.rehearsed = channel.queueDeclare().getQueue();
      channel.queueBind(real, "firstcome.events", "#");
      channel.queueBind(rehearsed, "firstcome.rehearsal-events", "#");
    }

    long rehearsed() throws IOException {
      return channel.messageCount(rehearsed);
    }

    String firstRehearsed() throws IOException {
      return JsonMapper.shared().readTree(channel.basicGet(rehearsed, true).getBody()).toString();
    }

    /** Messages of real events that name the coupon. */
    long ofCoupon(String couponId) throws IOException {
      long found = 0;
      var message = channel.basicGet(real, true);
      while (message != null) {
        if (message.getEnvelope().getRoutingKey().endsWith(couponId)) {
          found++;
        }
        message = channel.basicGet(real, true);
      }
      return found;
    }

    @Override
    public void close() throws IOException {
      channel.getConnection().close();
    }
  }
}
