package io.firstcome.benchmark.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What it was measured on. Where the operating system does not say something it is -1.
 *
 * @param loadAverageAtStart of the minute before the run
 * @param busyShareAtStart of all processors, while the benchmark itself rested
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

  /** A quarter of one processor of two is what an idle desktop does by itself. */
  private static final double BUSY_SHARE_MAX = 0.12;

  private static final double LOAD_A_PROCESSOR_MAX = 0.5;

  public Machine {
    versions = Map.copyOf(versions);
  }

  /** The same with what its servers say of themselves. */
  public Machine with(Map<String, String> serverVersions) {
    Map<String, String> all = new TreeMap<>(versions);
    all.putAll(serverVersions);
    return new Machine(
        processors, memoryMebibytes, jvm, os, loadAverageAtStart, busyShareAtStart, all);
  }

  /** Why the figures should not be believed, if so. */
  public List<String> warnings() {
    boolean busy = busyShareAtStart > BUSY_SHARE_MAX;
    boolean loaded = loadAverageAtStart > LOAD_A_PROCESSOR_MAX * processors;
    return busy || loaded
        ? List.of(
            String.format(
                Locale.ROOT,
                "other programs were busy at the start (load average %.2f, %.0f %% of %d"
                    + " processors): the figures are not to be trusted",
                loadAverageAtStart,
                busyShareAtStart * 100,
                processors))
        : List.of();
  }

  /** In one line. */
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
