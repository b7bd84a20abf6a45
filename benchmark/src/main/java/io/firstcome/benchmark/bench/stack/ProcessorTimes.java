package io.firstcome.benchmark.bench.stack;

import io.firstcome.benchmark.bench.report.MachineProbe;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How much processor time programs have had by now, each with the processes that it has started.
 *
 * @param byProgram in the order in which they are told
 * @param machine the operating system's own counts
 */
public record ProcessorTimes(Map<String, Duration> byProgram, long takenNanos, String machine) {

  /** What is none of the programs: the load generator, the kernel's own threads. */
  static final String OTHERS = "load generator, kernel";

  /**
   * Looks at them.
   *
   * @param pidByProgram processes that run
   */
  static ProcessorTimes of(Map<String, Long> pidByProgram) {
    Map<String, Duration> times = new LinkedHashMap<>();
    pidByProgram.forEach((program, pid) -> times.put(program, ofTree(pid)));
    return new ProcessorTimes(times, System.nanoTime(), MachineProbe.times());
  }

  private static Duration ofTree(long pid) {
    return ProcessHandle.of(pid).stream()
        .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** What each has had since then, and last what others have had. */
  public Map<String, Duration> since(ProcessorTimes before) {
    Map<String, Duration> used = new LinkedHashMap<>();
    byProgram.forEach(
        (program, time) -> used.put(program, time.minus(before.byProgram().get(program))));
    double busyNanos =
        MachineProbe.busyShare(before.machine(), machine)
            * Runtime.getRuntime().availableProcessors()
            * (takenNanos - before.takenNanos());
    long programs = used.values().stream().mapToLong(Duration::toNanos).sum();
    used.put(OTHERS, Duration.ofNanos(Math.max(0, Math.round(busyNanos) - programs)));
    return used;
  }
}
