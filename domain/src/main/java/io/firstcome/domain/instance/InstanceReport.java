package io.firstcome.domain.instance;

import io.firstcome.domain.latency.LatencyHistogram;
import java.time.Instant;
import java.util.List;

/**
 * What an instance reports about itself, about once a second.
 *
 * @param instance its name, by which a later report replaces an earlier one
 * @param version of the program
 * @param startedAt by the clock of the database
 * @param closedPartitions numbers of the partitions whose claims it refuses
 * @param recoveries those that it runs, and those that have not succeeded
 * @param claimLatencies of the claims that it has answered in the last ten seconds
 */
public record InstanceReport(
    String instance,
    String version,
    Instant startedAt,
    List<Integer> closedPartitions,
    List<RecoveryStatus> recoveries,
    LatencyHistogram claimLatencies) {

  public InstanceReport {
    closedPartitions = List.copyOf(closedPartitions);
    recoveries = List.copyOf(recoveries);
  }
}
