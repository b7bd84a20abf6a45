package io.firstcome.benchmark.bench.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Describes this machine before anything is started on it. */
public final class MachineProbe {

  private static final Path MEMORY = Path.of("/proc/meminfo");
  private static final Path TIMES = Path.of("/proc/stat");
  private static final Duration SAMPLE = Duration.ofSeconds(1);
  private static final Pattern TOTAL = Pattern.compile("MemTotal:\\s+(\\d+) kB");
  private static final int KIBI = 1_024;

  /** The columns idle and iowait of the first line of the times, after its name. */
  private static final List<Integer> IDLE = List.of(3, 4);

  private MachineProbe() {}

  /** Takes a second, during which the caller should be idle. */
  public static Machine look() {
    Runtime runtime = Runtime.getRuntime();
    return new Machine(
        runtime.availableProcessors(),
        memoryMebibytes(read(MEMORY)),
        "%s %s".formatted(property("java.vm.name"), Runtime.version()),
        "%s %s".formatted(property("os.name"), property("os.version")),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        busyShare(),
        Map.of());
  }

  static long memoryMebibytes(String memory) {
    Matcher total = TOTAL.matcher(memory);
    return total.find() ? Long.parseLong(total.group(1)) / KIBI : -1;
  }

  private static double busyShare() {
    String before = times();
    try {
      Thread.sleep(SAMPLE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return busyShare(before, times());
  }

  /** The busy and idle times of the processors until now; empty if they are not available. */
  public static String times() {
    return read(TIMES);
  }

  /**
   * The busy share of all processor time between two results of {@link #times}, 0 to 1; -1 if they
   * are not available.
   */
  public static double busyShare(String before, String after) {
    long[] from = times(before);
    long[] to = times(after);
    if (from.length == 0 || from.length != to.length) {
      return -1;
    }
    long all = 0;
    long idle = 0;
    for (int i = 0; i < from.length; i++) {
      all += to[i] - from[i];
      idle += IDLE.contains(i) ? to[i] - from[i] : 0;
    }
    return all > 0 ? (all - idle) / (double) all : 0;
  }

  private static long[] times(String text) {
    return text.startsWith("cpu ")
        ? Stream.of(text.lines().findFirst().orElse("").split(" +"))
            .skip(1)
            .mapToLong(Long::parseLong)
            .toArray()
        : new long[0];
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }

  /** Returns empty if the operating system has no such file. */
  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }
}
