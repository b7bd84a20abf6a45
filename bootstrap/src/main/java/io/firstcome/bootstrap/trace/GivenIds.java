package io.firstcome.bootstrap.trace;

import io.opentelemetry.sdk.trace.IdGenerator;
import org.jspecify.annotations.Nullable;

/** Gives the next span the ids that were set, and any others to those after it. Of one thread. */
final class GivenIds implements IdGenerator {

  private final IdGenerator random = IdGenerator.random();
  private @Nullable String traceId;
  private @Nullable String spanId;

  /** Puts the next span without a parent into that trace. */
  void next(String traceIdOfNext) {
    traceId = traceIdOfNext;
  }

  /** Gives the next span without a parent these ids. */
  void next(ClaimTrace ids) {
    traceId = ids.traceId();
    spanId = ids.spanId();
  }

  @Override
  public String generateTraceId() {
    var given = traceId;
    traceId = null;
    return given == null ? random.generateTraceId() : given;
  }

  @Override
  public String generateSpanId() {
    var given = spanId;
    spanId = null;
    return given == null ? random.generateSpanId() : given;
  }
}
