package io.firstcome.bootstrap.trace;

import io.firstcome.bootstrap.trace.Step.Batch;
import io.firstcome.bootstrap.trace.Step.Part;
import io.firstcome.bootstrap.trace.Step.Request;
import io.firstcome.bootstrap.trace.Step.Stage;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the spans of steps. Of one thread.
 *
 * <p>The trace of a claim has a span for each of its requests and for each step of its way. A step
 * that many claims went together also has a span in a trace of its own, with links to the claims;
 * the spans of the step in the traces of the claims have links to it.
 */
final class ClaimSpans {

  private static final String SCOPE = "io.firstcome";
  private static final String METHOD = "POST";
  private static final String ROUTE = "/api/v1/coupons/{couponId}/claims";

  /** Version, trace, parent and flags, of W3C Trace Context; later versions may have more. */
  private static final int TRACEPARENT_PARTS = 4;

  private final Function<Part, Optional<ClaimTrace>> traceOf;
  private final EndedSpans ended = new EndedSpans();
  private final GivenIds ids = new GivenIds();
  private final Tracer tracer;

  /**
   * @param resource describes this instance
   * @param traceOf the ids of the trace of a claim, or empty if they cannot be derived now
   */
  ClaimSpans(Resource resource, Function<Part, Optional<ClaimTrace>> traceOf) {
    this.traceOf = traceOf;
    var provider =
        SdkTracerProvider.builder()
            .setResource(resource)
            // Only sampled claims become steps.
            .setSampler(Sampler.alwaysOn())
            .setIdGenerator(ids)
            .addSpanProcessor(ended)
            .build();
    tracer = new OtelTracer(provider.get(SCOPE), new OtelCurrentTraceContext(), event -> {});
  }

  /** The spans of the step; fewer than it has if a trace cannot be derived now. */
  List<SpanData> of(Step step) {
    switch (step) {
      case Request request -> add(request);
      case Batch batch -> add(batch);
    }
    return ended.take();
  }

  private void add(Request request) {
    traceOf.apply(request.claim()).ifPresent(trace -> add(request, trace));
  }

  private void add(Request request, ClaimTrace trace) {
    if (request.accepted()) {
      ids.next(trace);
    } else {
      ids.next(trace.traceId());
    }
    var span =
        span(METHOD + " " + ROUTE, request)
            .kind(Span.Kind.SERVER)
            .setNoParent()
            .tag("http.request.method", METHOD)
            .tag("http.route", ROUTE);
    caller(request.traceparent()).ifPresent(caller -> span.addLink(new Link(caller)));
    end(tagged(span, request.claim()), request);
  }

  /** The span of the client, of a valid header only. */
  private Optional<TraceContext> caller(@Nullable String traceparent) {
    var parts = traceparent == null ? new String[0] : traceparent.split("-", -1);
    return parts.length >= TRACEPARENT_PARTS
            && TraceId.isValid(parts[1])
            && SpanId.isValid(parts[2])
        ? Optional.of(context(new ClaimTrace(parts[1], parts[2])))
        : Optional.empty();
  }

  /** A claim of a batch and its trace. */
  private record Traced(Part claim, TraceContext context) {}

  private void add(Batch batch) {
    var claims = new ArrayList<Traced>();
    for (var claim : batch.claims()) {
      traceOf.apply(claim).ifPresent(trace -> claims.add(new Traced(claim, context(trace))));
    }
    if (claims.isEmpty()) {
      return;
    }
    var ofAll = span(batch.stage().ofAll, batch).kind(kind(batch.stage())).setNoParent();
    tagged(ofAll, batch.tags());
    claims.forEach(claim -> ofAll.addLink(new Link(claim.context())));
    var shared = end(ofAll, batch);
    for (var claim : claims) {
      var ofOne =
          span(batch.stage().ofOne, batch).setParent(claim.context()).addLink(new Link(shared));
      end(tagged(ofOne, claim.claim()), batch);
    }
  }

  private static Span.Kind kind(Stage stage) {
    return switch (stage) {
      case COMMIT, RECORD -> Span.Kind.CLIENT;
      case PUBLISH -> Span.Kind.PRODUCER;
    };
  }

  private TraceContext context(ClaimTrace trace) {
    return tracer
        .traceContextBuilder()
        .traceId(trace.traceId())
        .spanId(trace.spanId())
        .sampled(true)
        .build();
  }

  private Span.Builder span(String name, Step step) {
    return tracer
        .spanBuilder()
        .name(name)
        .startTimestamp(step.period().startNanos(), TimeUnit.NANOSECONDS);
  }

  private static TraceContext end(Span.Builder builder, Step step) {
    var span = builder.start();
    span.end(step.period().endNanos(), TimeUnit.NANOSECONDS);
    return span.context();
  }

  private static Span.Builder tagged(Span.Builder span, Part claim) {
    return tagged(span.tag(Tags.COUPON, claim.couponId().value()), claim.tags());
  }

  private static Span.Builder tagged(Span.Builder span, Map<String, Object> tags) {
    tags.forEach((name, value) -> {
      if (value instanceof Long number) {
        span.tag(name, number);
      } else {
        span.tag(name, value.toString());
      }
    });
    return span;
  }
}
