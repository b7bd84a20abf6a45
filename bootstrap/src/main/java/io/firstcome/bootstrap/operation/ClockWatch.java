package io.firstcome.bootstrap.operation;

import io.firstcome.application.server.CompareClocks;
import io.firstcome.application.server.CompareClocks.Difference;
import io.firstcome.bootstrap.metric.Metric;
import io.firstcome.domain.observation.IssuanceObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Component;

/** Compares the clocks, and publishes by how many seconds each is ahead of the database's. */
@Component
class ClockWatch extends WorkInLoops {

  /**
   * Bounds how long the estimate of the database's clock can be wrong if the monotonic clock of
   * this process stood still, such as while its virtual machine was suspended.
   */
  private static final Duration EVERY = Duration.ofSeconds(1);

  private static final double MILLIS_PER_SECOND = 1_000;

  private final CompareClocks compareClocks;
  private final MultiGauge ahead;

  ClockWatch(CompareClocks compareClocks, MeterRegistry registry, IssuanceObserver observer) {
    super(observer);
    this.compareClocks = compareClocks;
    this.ahead = Metric.CLOCK_AHEAD.gauges(registry);
  }

  @Override
  protected List<Loop> loops() {
    return List.of(loop("comparing clocks", this::compare));
  }

  private Duration compare() {
    compareClocks.compare();
    ahead.register(
        compareClocks.latest().stream().<MultiGauge.Row<?>>map(ClockWatch::row).toList(), true);
    return EVERY;
  }

  private static MultiGauge.Row<Number> row(Difference difference) {
    return Metric.CLOCK_AHEAD.row(
        difference.ahead().toMillis() / MILLIS_PER_SECOND, difference.clock());
  }
}
