package io.firstcome.bootstrap.trace;

import io.firstcome.bootstrap.metric.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;

/** Steps that wait to be exported. Thread-safe; no caller waits. */
final class StepQueue {

  /**
   * More than two seconds of a busy instance at one per cent, and about 30 MB; at a probability of
   * 1 with a frozen collector about 100 MB.
   */
  static final int CAPACITY = 2_048;

  private final ArrayBlockingQueue<Step> steps = new ArrayBlockingQueue<>(CAPACITY);
  private final Counter missing;

  StepQueue(MeterRegistry registry) {
    missing = Metric.TRACE_SPANS_MISSING.counter(registry);
  }

  /** Adds a step, or counts its spans as missing if the queue is full. */
  void add(Step step) {
    if (!steps.offer(step)) {
      countMissing(step.spans());
    }
  }

  /** Counts spans that are in no trace. */
  void countMissing(int spans) {
    missing.increment(spans);
  }

  /** Removes the oldest steps, without waiting for any. */
  List<Step> take(int max) {
    var taken = new ArrayList<Step>();
    steps.drainTo(taken, max);
    return taken;
  }
}
