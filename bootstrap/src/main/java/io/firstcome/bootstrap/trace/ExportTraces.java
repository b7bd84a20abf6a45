package io.firstcome.bootstrap.trace;

import io.firstcome.bootstrap.metric.Metric;
import io.firstcome.bootstrap.operation.Loop;
import io.firstcome.bootstrap.operation.WorkInLoops;
import io.firstcome.domain.observation.IssuanceObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

/**
 * The loop that makes spans of steps and sends them to the collector. While the collector does not
 * reply only this loop waits: the queue fills up, and the spans of further steps are missing.
 */
final class ExportTraces extends WorkInLoops implements DisposableBean {

  /** So a request to the collector has the spans of many claims. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  private static final int STEPS_OF_A_ROUND = 256;

  /** As many as OpenTelemetry's own processor sends at once. */
  private static final int SPANS_OF_A_REQUEST = 512;

  /** The exporter gives up earlier, by its own timeout and by default after ten seconds. */
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(30);

  /** For the last steps of an instance that stops. */
  private static final Duration LAST_REQUEST = Duration.ofSeconds(1);

  private final StepQueue queue;
  private final ClaimSpans spans;
  private final SpanExporter exporter;
  private final Counter exported;

  ExportTraces(
      StepQueue queue,
      ClaimSpans spans,
      SpanExporter exporter,
      MeterRegistry registry,
      IssuanceObserver observer) {
    super(observer);
    this.queue = queue;
    this.spans = spans;
    this.exporter = exporter;
    this.exported = Metric.TRACE_SPANS_EXPORTED.counter(registry);
  }

  @Override
  protected List<Loop> loops() {
    return List.of(loop("exporting traces", () -> export(LONGEST_REQUEST)));
  }

  /** Runs after the loop has ended. */
  @Override
  public void destroy() {
    try {
      export(LAST_REQUEST);
    } catch (NotAcceptedException e) {
      // The spans are lost, and the instance stops.
    }
  }

  /** Exports some steps. */
  private Duration export(Duration limit) {
    var steps = queue.take(STEPS_OF_A_ROUND);
    int done = 0;
    try {
      while (done < steps.size()) {
        var made = new ArrayList<SpanData>();
        while (done < steps.size() && made.size() < SPANS_OF_A_REQUEST) {
          made.addAll(spansOf(steps.get(done++)));
        }
        send(made, limit);
      }
    } finally {
      steps.subList(done, steps.size()).forEach(step -> queue.countMissing(step.spans()));
    }
    return steps.size() == STEPS_OF_A_ROUND ? Duration.ZERO : PAUSE;
  }

  private List<SpanData> spansOf(Step step) {
    var made = spans.of(step);
    queue.countMissing(step.spans() - made.size());
    return made;
  }

  private void send(List<SpanData> batch, Duration limit) {
    if (batch.isEmpty()) {
      return;
    }
    boolean isAccepted = false;
    try {
      var result = exporter.export(batch).join(limit.toNanos(), TimeUnit.NANOSECONDS);
      isAccepted = result.isSuccess();
      if (isAccepted) {
        exported.increment(batch.size());
        return;
      }
      throw new NotAcceptedException(batch.size(), result.getFailureThrowable());
    } finally {
      if (!isAccepted) {
        queue.countMissing(batch.size());
      }
    }
  }

  /** The collector has not replied in time, or has refused the spans. */
  private static final class NotAcceptedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotAcceptedException(int spans, @Nullable Throwable cause) {
      super("the collector of traces has not accepted " + spans + " spans", cause);
    }
  }
}
