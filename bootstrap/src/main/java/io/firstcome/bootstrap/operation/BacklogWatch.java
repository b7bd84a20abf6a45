package io.firstcome.bootstrap.operation;

import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.bootstrap.metric.Metric;
import io.firstcome.bootstrap.wiring.WithRedis;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.LogDepth;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.HandoffLog;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.springframework.stereotype.Component;

/**
 * Publishes how much is waiting between stock, database and broker: entries of the hand-off log,
 * events of the outbox, and dead letters. A backlog that cannot be read has no value.
 */
@Component
@WithRedis
class BacklogWatch extends WorkInLoops {

  /** Alerts begin at an age of five seconds. */
  private static final Duration EVERY = Duration.ofSeconds(2);

  private static final double MILLIS_PER_SECOND = 1_000;
  private static final int MOST_LETTERS = 1_000;

  private final StockKeeper keeper;
  private final HandoffLog log;
  private final EventOutbox outbox;
  private final DeadLetters letters;
  private final MultiGauge depths;
  private final MultiGauge ages;
  private volatile double outboxSeconds = Double.NaN;
  private volatile double letterCount = Double.NaN;

  BacklogWatch(
      StockKeeper keeper,
      HandoffLog log,
      EventOutbox outbox,
      DeadLetters letters,
      MeterRegistry registry,
      IssuanceObserver observer) {
    super(observer);
    this.keeper = keeper;
    this.log = log;
    this.outbox = outbox;
    this.letters = letters;
    this.depths = Metric.HANDOFF_DEPTH.gauges(registry);
    this.ages = Metric.HANDOFF_OLDEST_AGE.gauges(registry);
    Metric.HANDOFF_CAP.gauge(registry, log, HandoffLog::cap);
    Metric.OUTBOX_OLDEST_AGE.gauge(registry, this, watch -> watch.outboxSeconds);
    Metric.DEAD_LETTERS.gauge(registry, this, watch -> watch.letterCount);
    for (var partition : keeper.partitions()) {
      Metric.PARTITION_OPEN.gauge(
          registry, keeper, of -> of.isOpen(partition) ? 1 : 0, label(partition));
    }
  }

  @Override
  protected List<Loop> loops() {
    return List.of(
        loop("measuring the hand-off log", this::measureLog),
        loop("measuring what waits in the database", this::measureRows));
  }

  private Duration measureLog() {
    Map<Partition, LogDepth> measured = new LinkedHashMap<>();
    try {
      for (var partition : keeper.partitions()) {
        measured.put(partition, log.depth(partition));
      }
    } finally {
      publish(Metric.HANDOFF_DEPTH, depths, measured, LogDepth::entries);
      publish(Metric.HANDOFF_OLDEST_AGE, ages, measured, depth -> seconds(depth.oldestAge()));
    }
    return EVERY;
  }

  private static void publish(
      Metric metric,
      MultiGauge gauges,
      Map<Partition, LogDepth> measured,
      ToDoubleFunction<LogDepth> value) {
    gauges.register(
        measured.entrySet().stream()
            .<MultiGauge.Row<?>>map(
                of -> metric.row(value.applyAsDouble(of.getValue()), label(of.getKey())))
            .toList(),
        true);
  }

  private Duration measureRows() {
    double seconds = Double.NaN;
    double count = Double.NaN;
    try {
      seconds = seconds(outbox.oldestAge().orElse(Duration.ZERO));
      count = letters.count(MOST_LETTERS);
    } finally {
      outboxSeconds = seconds;
      letterCount = count;
    }
    return EVERY;
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / MILLIS_PER_SECOND;
  }

  private static String label(Partition partition) {
    return Integer.toString(partition.number());
  }
}
