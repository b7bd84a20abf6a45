package io.firstcome.bootstrap.trace;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.List;

/** Collects the spans that one thread ends. */
final class EndedSpans implements SpanProcessor {

  private List<SpanData> spans = new ArrayList<>();

  @Override
  public void onStart(Context parentContext, ReadWriteSpan span) {
    // See isStartRequired.
  }

  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    spans.add(span.toSpanData());
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  /** Removes the spans, in the order in which they ended. */
  List<SpanData> take() {
    var taken = spans;
    spans = new ArrayList<>();
    return taken;
  }
}
