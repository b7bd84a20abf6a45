package io.firstcome.bootstrap.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.firstcome.bootstrap.trace.Step.Batch;
import io.firstcome.bootstrap.trace.Step.Part;
import io.firstcome.bootstrap.trace.Step.Period;
import io.firstcome.bootstrap.trace.Step.Request;
import io.firstcome.bootstrap.trace.Step.Stage;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ExportTracesTest {

  private static final ClaimTrace TRACE =
      new ClaimTrace("0123456789abcdef0123456789abcdef", "0123456789abcdef");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final StepQueue queue = new StepQueue(registry);
  private final Collector collector = new Collector();
  private final ExportTraces export =
      new ExportTraces(
          queue,
          new ClaimSpans(
              Resource.empty(),
              claim -> claim.user().value().equals("ann") ? Optional.of(TRACE) : Optional.empty()),
          collector,
          registry,
          IssuanceObserver.silent());

  /** Remembers what it was sent. */
  private static final class Collector implements SpanExporter {

    final List<SpanData> received = new ArrayList<>();
    CompletableResultCode reply = CompletableResultCode.ofSuccess();

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      received.addAll(spans);
      return reply;
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }

  private void answeredClaimOf(String user) {
    var claim = new Part(new CouponId("SUMMER"), new UserId(user), null, Map.of());
    queue.add(new Request(claim, true, null, new Period(Instant.EPOCH, Duration.ZERO)));
  }

  private double exported() {
    return registry.counter("firstcome.trace.spans.exported").count();
  }

  private double missing() {
    return registry.counter("firstcome.trace.spans.missing").count();
  }

  @Test
  void the_last_steps_are_exported_when_the_instance_stops() {
    answeredClaimOf("ann");

    export.destroy();

    assertThat(collector.received)
        .extracting(SpanData::getTraceId)
        .containsExactly(TRACE.traceId());
    assertThat(exported()).isEqualTo(1);
    assertThat(missing()).isZero();
  }

  @Test
  void spans_that_the_collector_refuses_are_counted_as_missing() {
    collector.reply = CompletableResultCode.ofFailure();
    answeredClaimOf("ann");

    assertThatCode(export::destroy).doesNotThrowAnyException();

    assertThat(exported()).isZero();
    assertThat(missing()).isEqualTo(1);
  }

  @Test
  @Timeout(10)
  void an_instance_stops_although_the_collector_does_not_reply() {
    collector.reply = new CompletableResultCode();
    answeredClaimOf("ann");

    export.destroy();

    assertThat(missing()).isEqualTo(1);
  }

  @Test
  void a_span_whose_trace_cannot_be_derived_is_counted_as_missing() {
    answeredClaimOf("of-unknown-trace");

    export.destroy();

    assertThat(collector.received).isEmpty();
    assertThat(missing()).isEqualTo(1);
  }

  @Test
  void further_steps_of_a_round_whose_export_fails_are_counted_as_missing() {
    collector.reply = CompletableResultCode.ofFailure();
    // A request to the collector has 512 spans, and a round 256 steps.
    var claims =
        Collections.nCopies(
            127, new Part(new CouponId("SUMMER"), new UserId("ann"), null, Map.of()));
    var period = new Period(Instant.EPOCH, Duration.ZERO);
    for (int i = 0; i < 10; i++) {
      queue.add(new Batch(Stage.COMMIT, claims, Map.of(), period));
    }

    export.destroy();

    assertThat(collector.received).hasSize(512);
    assertThat(missing()).isEqualTo(1_280);
  }
}
