package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Operators read how a coupon was claimed and issued over time. */
@ExtendWith(QuietLogs.class)
class CurveApiIT {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final World world = World.get();

  private Answer curve(String coupon, String query) {
    return world.send(
        Call.get("/api/v1/admin/coupons/%s/curve%s".formatted(coupon, query)).operator());
  }

  private static long sum(Answer curve, String member) {
    return StreamSupport.stream(curve.json().path("points").spliterator(), false)
        .mapToLong(point -> point.path(member).asLong())
        .sum();
  }

  private static List<Long> percentiles(Answer curve) {
    return Stream.of("p50Millis", "p95Millis", "p99Millis")
        .map(member -> curve.json().at("/latency/" + member).asLong())
        .toList();
  }

  @Test
  void every_claim_and_every_issued_user_coupon_is_in_the_curve() {
    var begin = Instant.now();
    var coupon = world.define(aCoupon().withTotal(3));
    var first = Users.one();
    for (var user : new String[] {first, Users.one(), Users.one(), Users.one(), first}) {
      world.send(Call.claim(coupon).as(user));
    }
    var query = "?bucket=PT1S&from=" + begin.minusSeconds(1);

    Await.until(
        LIMIT,
        "the curve has all claims",
        () ->
            // The last claim may be in a later second than the others.
            sum(curve(coupon, query), "alreadyClaimed") == 1
                && sum(curve(coupon, query), "soldOut") == 1
                && sum(curve(coupon, query), "issued") == 3);

    var curve = curve(coupon, query);
    assertThat(curve.status()).isEqualTo(200);
    assertThat(sum(curve, "accepted")).isEqualTo(3);
    assertThat(sum(curve, "alreadyClaimed")).isEqualTo(1);
    assertThat(
            Stream.of("refused", "recovering", "overloaded", "outcomeUnknown")
                .map(kind -> sum(curve, kind)))
        .containsOnly(0L);
    assertThat(Instant.parse(curve.json().at("/points/0/at").asString()))
        .isBetween(begin.minusSeconds(2), Instant.now());
    assertThat(curve.text("bucket")).isEqualTo("PT1S");
    assertThat(percentiles(curve))
        .isSorted()
        .allSatisfy(bound -> assertThat(bound).isBetween(1L, 60_000L));
  }

  @Test
  void a_curve_without_parameters_begins_with_the_opening_or_the_definition_if_that_is_later() {
    var open = world.define(aCoupon().openIn(Duration.ofDays(-10_000)));
    var scheduled =
        world.define(aCoupon().openIn(Duration.ofHours(1)).closingIn(Duration.ofDays(1)));

    var curve = curve(open, "");

    assertThat(curve.text("from")).isEqualTo(second(open, "createdAt").toString());
    assertThat(curve.text("bucket")).isEqualTo("PT1S");
    assertThat(curve.json().path("points")).isEmpty();
    assertThat(curve.json().has("latency")).isFalse();
    assertThat(curve(scheduled, "").text("from"))
        .isEqualTo(second(scheduled, "opensAt").toString());
  }

  private Instant second(String coupon, String member) {
    var view = world.send(Call.get("/api/v1/coupons/" + coupon).as("ann"));
    return Instant.parse(view.text(member)).truncatedTo(ChronoUnit.SECONDS);
  }

  @Test
  void what_cannot_be_a_curve_is_refused() {
    assertRefused("?bucket=second", "bucket: not an ISO 8601 duration: 'second'.");
    assertRefused("?bucket=PT0.5S", "bucket: not whole seconds from PT1S to PT24H: 'PT0.5S'.");
    assertRefused("?bucket=P2D", "bucket: not whole seconds from PT1S to PT24H: 'PT48H'.");
    assertRefused("?from=noon", "from: not an RFC 3339 time: 'noon'.");
    assertRefused(
        "?to=1969-01-01T00:00:00Z", "to: not between 1970 and 9999: '1969-01-01T00:00:00Z'.");
    assertRefused(
        "?from=2000-01-01T00:00:00Z&bucket=PT1S",
        "The curve would have more than 7200 buckets; ask for longer ones or a shorter time.");
  }

  private void assertRefused(String query, String detail) {
    var answer = curve(world.define(aCoupon()), query);

    assertProblem(answer, 400, "malformed-request");
    assertThat(answer.text("detail")).isEqualTo(detail);
  }

  @Test
  void an_unknown_coupon_has_no_curve() {
    assertProblem(curve("UNKNOWN-CURVE", ""), 404, "unknown-coupon");
  }
}
