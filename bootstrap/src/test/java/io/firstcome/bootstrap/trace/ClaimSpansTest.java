package io.firstcome.bootstrap.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.trace.Step.Batch;
import io.firstcome.bootstrap.trace.Step.Part;
import io.firstcome.bootstrap.trace.Step.Period;
import io.firstcome.bootstrap.trace.Step.Request;
import io.firstcome.bootstrap.trace.Step.Stage;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimSpansTest {

  private static final CouponId SUMMER = new CouponId("SUMMER");
  private static final ClaimTrace TRACE =
      new ClaimTrace("0123456789abcdef0123456789abcdef", "0123456789abcdef");
  private static final ClaimTrace OF_BOB =
      new ClaimTrace("fedcba9876543210fedcba9876543210", "fedcba9876543210");
  private static final ClaimTrace CALLER =
      new ClaimTrace("11112222333344445555666677778888", "9999aaaabbbbcccc");
  private static final String NO_PARENT = "0000000000000000";

  private static final Period PERIOD =
      new Period(Instant.ofEpochSecond(1_000, 500), Duration.ofNanos(300));

  private final ClaimSpans spans = new ClaimSpans(Resource.empty(), ClaimSpansTest::trace);

  private static Optional<ClaimTrace> trace(Part claim) {
    return switch (claim.user().value()) {
      case "ann" -> Optional.of(TRACE);
      case "bob" -> Optional.of(OF_BOB);
      default -> Optional.empty();
    };
  }

  private static Part claim(String user) {
    return new Part(SUMMER, new UserId(user), null, Map.of(Tags.SLOT, 7L));
  }

  private SpanData request(boolean accepted, String traceparent) {
    var made = spans.of(new Request(claim("ann"), accepted, traceparent, PERIOD));
    assertThat(made).hasSize(1);
    return made.getFirst();
  }

  @Test
  void the_request_whose_claim_was_accepted_has_the_ids_of_the_claim() {
    var span = request(true, "");

    assertThat(span.getName()).isEqualTo("POST /api/v1/coupons/{couponId}/claims");
    assertThat(span.getKind()).isEqualTo(SpanKind.SERVER);
    assertThat(span.getTraceId()).isEqualTo(TRACE.traceId());
    assertThat(span.getSpanId()).isEqualTo(TRACE.spanId());
    assertThat(span.getParentSpanId()).isEqualTo(NO_PARENT);
    assertThat(span.getStartEpochNanos()).isEqualTo(1_000_000_000_200L);
    assertThat(span.getEndEpochNanos()).isEqualTo(1_000_000_000_500L);
    assertThat(span.getAttributes().get(AttributeKey.stringKey("firstcome.coupon")))
        .isEqualTo("SUMMER");
    assertThat(span.getAttributes().get(AttributeKey.longKey("firstcome.slot"))).isEqualTo(7);
  }

  @Test
  void any_other_request_is_a_span_of_its_own_in_the_same_trace() {
    var first = request(false, "");
    var second = request(false, "");

    assertThat(List.of(first.getTraceId(), second.getTraceId())).containsOnly(TRACE.traceId());
    assertThat(first.getSpanId()).isNotEqualTo(TRACE.spanId()).isNotEqualTo(second.getSpanId());
    assertThat(second.getParentSpanId()).isEqualTo(NO_PARENT);
  }

  @Test
  void the_span_of_the_client_is_linked() {
    var span = request(true, "00-%s-%s-00".formatted(CALLER.traceId(), CALLER.spanId()));

    assertThat(span.getTraceId()).isEqualTo(TRACE.traceId());
    assertThat(linked(span)).containsExactly(CALLER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "---",
        "00-11112222333344445555666677778888-9999aaaabbbbcccc",
        "00-00000000000000000000000000000000-9999aaaabbbbcccc-01",
        "00-11112222333344445555666677778888-0000000000000000-01",
        "00-1111222233334444555566667777888-9999aaaabbbbcccc-01",
        "00-user-ann-01"
      })
  void an_invalid_traceparent_is_ignored(String traceparent) {
    assertThat(request(true, traceparent).getLinks()).isEmpty();
  }

  @Test
  void a_batch_and_the_spans_in_the_traces_of_its_claims_are_linked_with_each_other() {
    var claims = List.of(claim("ann"), claim("of-unknown-trace"), claim("bob"));

    var made = spans.of(new Batch(Stage.PUBLISH, claims, Map.of(Tags.ENTRIES, 2L), PERIOD));

    assertThat(made)
        .extracting(SpanData::getName)
        .containsExactly("publish claims", "publish claim", "publish claim");
    var ofAll = made.getFirst();
    assertThat(linked(ofAll)).containsExactly(TRACE, OF_BOB);
    assertThat(ofAll.getParentSpanId()).isEqualTo(NO_PARENT);
    assertThat(ofAll.getAttributes().get(AttributeKey.longKey("firstcome.entries"))).isEqualTo(2);
    for (var ofOne : made.subList(1, 3)) {
      assertThat(linked(ofOne))
          .containsExactly(new ClaimTrace(ofAll.getTraceId(), ofAll.getSpanId()));
    }
    assertThat(made.subList(1, 3))
        .extracting(span -> new ClaimTrace(span.getTraceId(), span.getParentSpanId()))
        .containsExactly(TRACE, OF_BOB);
  }

  @Test
  void a_step_of_claims_whose_traces_are_unknown_has_no_span() {
    var step = new Batch(Stage.COMMIT, List.of(claim("of-unknown-trace")), Map.of(), PERIOD);

    assertThat(spans.of(step)).isEmpty();
    assertThat(request(true, "").getSpanId()).isEqualTo(TRACE.spanId());
  }

  private static List<ClaimTrace> linked(SpanData span) {
    return span.getLinks().stream()
        .map(LinkData::getSpanContext)
        .map(context -> new ClaimTrace(context.getTraceId(), context.getSpanId()))
        .toList();
  }
}
