package io.firstcome.benchmark.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The machine of a run. What the operating system does not report is -1.
 *
 * @param loadAverageAtStart of the minute before the run
 * @param busyShareAtStart of all processors, while the benchmark itself was idle
 * @param versions of the servers
 */
public record Machine(
    int processors,
    long memoryMebibytes,
    String jvm,
    String os,
    double loadAverageAtStart,
    double busyShareAtStart,
    Map<String, String> versions) {

  /** An idle desktop uses a quarter of one of two processors by itself. */
  private static final double BUSY_SHARE_MAX = 0.12;

  private static final double LOAD_A_PROCESSOR_MAX = 0.5;

  public Machine {
    versions = Map.copyOf(versions);
  }

  /** This machine with the versions of its servers. */
  public Machine with(Map<String, String> serverVersions) {
    Map<String, String> all = new TreeMap<>(versions);
    all.putAll(serverVersions);
    return new Machine(
        processors, memoryMebibytes, jvm, os, loadAverageAtStart, busyShareAtStart, all);
  }

  /** Why the figures are not reliable; empty if they are. */
  public List<String> warnings() {
    boolean busy = busyShareAtStart > BUSY_SHARE_MAX;
    boolean loaded = loadAverageAtStart > LOAD_A_PROCESSOR_MAX * processors;
    return busy || loaded
        ? List.of(
            String.format(
                Locale.ROOT,
                "other programs were busy at the start (load average %.2f, %.0f %% of %d"
                    + " processors): the figures are not reliable",
                loadAverageAtStart,
                busyShareAtStart * 100,
                processors))
        : List.of();
  }

  /** Describes the machine in one line. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "%d processors, %,d MiB, %s, %s; %s; load average at start %.2f",
        processors,
        memoryMebibytes,
        os,
        jvm,
        new TreeMap<>(versions)
            .entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", ")),
        loadAverageAtStart);
  }
}
