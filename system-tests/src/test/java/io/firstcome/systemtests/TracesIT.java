package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.PostgresAlone;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.TraceCollector;
import io.firstcome.systemtests.kit.TraceCollector.Place;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Traces of claims, as a collector receives them. Each instance has one, as all must trace. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class TracesIT {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration STOPS_WITHIN = Duration.ofSeconds(15);
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(5);

  /** More than the exporter has threads. */
  private static final int STALLED_REPLIES = 8;

  private static final String REQUEST = "POST /api/v1/coupons/{couponId}/claims";
  private static final Place CALLER =
      new Place("11112222333344445555666677778888", "9999aaaabbbbcccc");

  private final World world = World.direct("traces");

  /** So that only instances with traces publish and record. */
  @BeforeAll
  void stopTheInstanceWithoutTraces() {
    world.service().stop();
  }

  @AfterAll
  void close() {
    world.close();
  }

  private ServiceProcess start(String name, Map<String, String> settings) {
    return World.ready(world.start(name, settings));
  }

  @Test
  void one_claim_is_followable_over_commit_log_message_and_row() {
    try (var collector = TraceCollector.start();
        var one = start("one", collector.environment(1));
        var other = start("other", collector.environment(1))) {
      var coupon = define(one);
      var users = Users.some(40);
      var traced = users.getFirst();
      var crowd = world.crowd(coupon, users.subList(1, users.size()), one, other);

      var answer =
          World.send(
              one,
              Call.claim(coupon)
                  .as(traced)
                  .header("traceparent: 00-%s-%s-00".formatted(CALLER.traceId(), CALLER.spanId())));
      crowd.join();

      assertThat(answer.status()).isEqualTo(202);
      var ids = ids(answer);
      awaitSteps(collector, ids, "commit claim", "publish claim", "record claim");
      var spans = collector.trace(ids.traceId());
      var request = collector.span(ids);
      assertThat(names(collector, ids))
          .containsExactlyInAnyOrder(REQUEST, "commit claim", "publish claim", "record claim");
      assertThat(request.getName()).isEqualTo(REQUEST);
      assertThat(request.getParentSpanId().isEmpty()).isTrue();
      assertThat(Place.linked(request)).containsExactly(CALLER);
      assertThat(tag(request, "firstcome.outcome")).isEqualTo("accepted");
      for (var span : spans) {
        assertThat(tag(span, "firstcome.coupon")).isEqualTo(coupon);
        assertThat(tag(span, "firstcome.slot")).isEqualTo(answer.text("slot"));
        if (!span.equals(request)) {
          assertThat(span.getParentSpanId()).isEqualTo(request.getSpanId());
          var shared = collector.span(Place.linked(span).getFirst());
          assertThat(Place.linked(shared)).contains(ids);
          assertThat(shared.getName()).isIn("group commit", "publish claims", "record claims");
        }
      }
      var published = named(spans, "publish claim");
      assertThat(tag(published, "firstcome.entry")).matches("[0-9]+-[0-9]+");
      assertThat(tag(named(spans, "record claim"), "firstcome.outcome")).isEqualTo("recorded");
      assertThat(
              named(spans, "commit claim").getStartTimeUnixNano() - request.getStartTimeUnixNano())
          .isNotNegative();
      assertNothingPersonal(collector, coupon, users);
    }
  }

  /** Waits for the request and these steps; instances send their spans independently. */
  private static void awaitSteps(TraceCollector collector, Place ids, String... steps) {
    Await.until(
        SOON,
        () -> "a trace with all steps: " + names(collector, ids),
        () ->
            names(collector, ids).contains(REQUEST)
                && names(collector, ids).containsAll(List.of(steps)));
  }

  private void assertNothingPersonal(TraceCollector collector, String coupon, List<String> users) {
    var received = collector.received();
    assertThat(users).noneMatch(received::contains);
    assertThat(world.record().claimsOf(coupon))
        .hasSizeGreaterThan(30)
        .extracting(RecordedClaim::code)
        .noneMatch(code -> !code.isEmpty() && received.contains(code));
    assertThat(received).contains(coupon).doesNotContain(Call.OPERATOR);
  }

  @Test
  void requests_that_were_not_accepted_are_in_the_trace_of_the_claim() {
    try (var collector = TraceCollector.start();
        var instance = start("repeating", collector.environment(1))) {
      var coupon = define(instance);
      var claim = Call.claim(coupon).as(Users.one());
      var answer = World.send(instance, claim);

      var again = World.send(instance, claim);

      assertThat(again.status()).isEqualTo(200);
      var ids = ids(answer);
      Await.until(
          SOON,
          "two requests",
          () -> names(collector, ids).stream().filter(REQUEST::equals).count() == 2);
      assertThat(collector.trace(ids.traceId()).stream().filter(span -> is(span, REQUEST)))
          .extracting(span -> tag(span, "firstcome.outcome"))
          .containsExactlyInAnyOrder("accepted", "already-claimed");
    }
  }

  @Test
  void with_postgresql_alone_the_commit_is_the_last_step() {
    try (var collector = TraceCollector.start();
        var alone = new PostgresAlone("traces-alone", collector.environment(1))) {
      var coupon = alone.define(aCoupon());

      var answer = alone.send(Call.claim(coupon).as(Users.one()));

      assertThat(answer.status()).isEqualTo(201);
      var ids = ids(answer);
      awaitSteps(collector, ids, "commit claim");
      assertThat(names(collector, ids)).containsExactlyInAnyOrder(REQUEST, "commit claim");
      assertThat(tag(collector.span(ids), "firstcome.outcome")).isEqualTo("issued");
    }
  }

  @Test
  void a_client_cannot_have_its_claims_sampled() {
    try (var collector = TraceCollector.start();
        var instance = start("not-sampling", collector.environment(0))) {
      var coupon = define(instance);

      for (var user : Users.some(20)) {
        World.send(
            instance,
            Call.claim(coupon)
                .as(user)
                .header("traceparent: 00-%s-%s-01".formatted(CALLER.traceId(), CALLER.spanId())));
      }
      instance.stop();

      assertThat(collector.received()).isEmpty();
    }
  }

  @Test
  void a_collector_that_does_not_reply_delays_no_claim_and_no_stop() throws IOException {
    try (var frozen = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var instance = start("frozen", TraceCollector.environment(frozen.getLocalPort(), 1))) {
      var accepted = new AtomicInteger();
      Thread.ofVirtual().start(() -> acceptAll(frozen, accepted));
      var coupon = define(instance);
      var users = Users.some(5_000);

      world.crowdWithoutRetries(coupon, users, instance).join();

      assertThat(accepted.get()).as("connections to the collector").isPositive();
      assertThat(world.record().claimsOf(coupon))
          .hasSize(users.size())
          .allMatch(claim -> claim.endNanos() - claim.beginNanos() < ANSWERED_WITHIN.toNanos());
      assertThat(World.metric(instance, "firstcome_trace_spans_missing_total", "")).isPositive();
      assertThat(World.metric(instance, "firstcome_trace_spans_exported_total", "")).isZero();
      long begin = System.nanoTime();
      instance.stop();
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(STOPS_WITHIN);
    }
  }

  @Test
  void replies_without_an_end_do_not_end_the_export() {
    try (var collector = TraceCollector.startStalled(STALLED_REPLIES)) {
      var settings = new HashMap<>(collector.environment(1));
      settings.put("MANAGEMENT_OPENTELEMETRY_TRACING_EXPORT_OTLP_TIMEOUT", "1s");
      try (var instance = start("stalled", settings)) {
        var coupon = define(instance, aCoupon().withTotal(100_000));
        Await.until(
            Duration.ofSeconds(60),
            () -> "all stalled replies, but %d are left".formatted(collector.stalledReplies()),
            () -> {
              World.send(instance, Call.claim(coupon).as(Users.one()));
              return collector.stalledReplies() == 0;
            });

        var answer = World.send(instance, Call.claim(coupon).as(Users.one()));

        Await.until(SOON, "a trace", () -> !collector.trace(ids(answer).traceId()).isEmpty());
      }
    }
  }

  /** Accepts connections and neither reads nor replies. */
  private static void acceptAll(ServerSocket server, AtomicInteger accepted) {
    try {
      while (!server.isClosed()) {
        // Stays open until the process of the test ends.
        var _ = server.accept();
        accepted.incrementAndGet();
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private static String define(ServiceProcess instance) {
    return define(instance, aCoupon());
  }

  private static String define(ServiceProcess instance, CouponRequests coupon) {
    assertThat(World.send(instance, Call.define(coupon.json())).status()).isEqualTo(201);
    return coupon.id();
  }

  /** As docs/traces.md has it. */
  private static Place ids(Answer answer) {
    try {
      var text = "firstcome trace\0" + answer.text("userCouponId");
      var hash =
          HexFormat.of()
              .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(US_ASCII)));
      return new Place(hash.substring(0, 32), hash.substring(32, 48));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static List<String> names(TraceCollector collector, Place place) {
    return collector.trace(place.traceId()).stream().map(Span::getName).toList();
  }

  private static boolean is(Span span, String name) {
    return span.getName().equals(name);
  }

  private static Span named(List<Span> spans, String name) {
    return spans.stream().filter(span -> is(span, name)).findFirst().orElseThrow();
  }

  /** The attribute as text, or an empty text. */
  private static String tag(Span span, String name) {
    return span.getAttributesList().stream()
        .filter(attribute -> attribute.getKey().equals(name))
        .map(attribute -> attribute.getValue())
        .map(value ->
            value.hasIntValue() ? Long.toString(value.getIntValue()) : value.getStringValue())
        .findFirst()
        .orElse("");
  }
}
