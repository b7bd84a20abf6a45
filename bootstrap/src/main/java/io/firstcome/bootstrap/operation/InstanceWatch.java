package io.firstcome.bootstrap.operation;

import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.bootstrap.incident.RunningRecoveries;
import io.firstcome.bootstrap.wiring.FirstcomeProperties;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.instance.InstanceReport;
import io.firstcome.domain.instance.SeenInstance;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.latency.LatencyHistogram;
import io.firstcome.domain.latency.LatencyPercentiles;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.InstanceReports;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.info.BuildProperties;
import org.springframework.stereotype.Component;

/**
 * Stores what this instance reports about itself, and reads the reports of all instances, once a
 * second.
 */
@Component
public class InstanceWatch extends WorkInLoops {

  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration FORGET_EVERY = Duration.ofMinutes(1);

  /** An instance that was stopped can be looked for so long. */
  private static final Duration KEPT = Duration.ofHours(1);

  /** Far more instances than a deployment has. */
  private static final int MOST = 1_000;

  /** While the database is away nothing is known of the others. */
  private static final Duration VALID = Duration.ofSeconds(5);

  private final InstanceReports reports;
  private final StockKeeper keeper;
  private final KnownEpochs knownEpochs;
  private final RunningRecoveries recoveries;
  private final ClaimLatencies latencies;
  private final String instance;
  private final String version;
  private final InstantSource clock;
  private volatile @Nullable Reading latest;
  private @Nullable Instant startedAt;

  private record Reading(long nanos, List<SeenInstance> instances) {}

  InstanceWatch(
      InstanceReports reports,
      StockKeeper keeper,
      KnownEpochs knownEpochs,
      RunningRecoveries recoveries,
      ClaimLatencies latencies,
      FirstcomeProperties properties,
      BuildProperties build,
      InstantSource clock,
      IssuanceObserver observer) {
    super(observer);
    this.reports = reports;
    this.keeper = keeper;
    this.knownEpochs = knownEpochs;
    this.recoveries = recoveries;
    this.latencies = latencies;
    this.instance = properties.instance();
    this.version = String.valueOf(build.getVersion());
    this.clock = clock;
  }

  /** The instances of the last hour; empty if the database does not reply. */
  public Optional<List<SeenInstance>> instances() {
    var known = latest;
    return known == null || System.nanoTime() - known.nanos() > VALID.toNanos()
        ? Optional.empty()
        : Optional.of(known.instances());
  }

  /** How long claims took in the last ten seconds at all instances; empty if there were none. */
  public Optional<LatencyPercentiles> latency() {
    return instances().orElse(List.of()).stream()
        .filter(seen -> !seen.isSilent())
        .map(seen -> seen.report().claimLatencies())
        .reduce(LatencyHistogram.NONE, LatencyHistogram::plus)
        .percentiles();
  }

  @Override
  protected List<Loop> loops() {
    return List.of(
        loop("reporting this instance", this::report), loop("forgetting instances", this::forget));
  }

  private Duration report() {
    var recent = latencies.recent();
    reports.store(
        new InstanceReport(
            instance,
            version,
            startedAt(),
            keeper.closed().stream().map(Partition::number).toList(),
            recoveries.list(this::openEpoch),
            recent));
    latest = new Reading(System.nanoTime(), reports.latest(KEPT, MOST));
    return EVERY;
  }

  private Epoch openEpoch(Partition partition) {
    return keeper.isOpen(partition) ? knownEpochs.of(partition) : Epoch.NONE;
  }

  /** The clock of the database is known once the database has replied. */
  private Instant startedAt() {
    var known = startedAt;
    if (known == null) {
      var uptime = Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
      known = clock.instant().minus(uptime);
      startedAt = known;
    }
    return known;
  }

  private Duration forget() {
    reports.forget(KEPT);
    return FORGET_EVERY;
  }
}
