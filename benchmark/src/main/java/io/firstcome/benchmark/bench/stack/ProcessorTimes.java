package io.firstcome.benchmark.bench.stack;

import io.firstcome.benchmark.bench.report.MachineProbe;
import io.firstcome.devservices.DevServices;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How much processor time programs have had by now, each with the processes that it has started and
 * that are not programs of their own here.
 *
 * @param byProgram in the order in which they are told
 * @param machine the operating system's own counts
 */
public record ProcessorTimes(Map<String, Duration> byProgram, long takenNanos, String machine) {

  /** What is none of the programs: the load generator, the kernel's own threads. */
  static final String OTHERS = "load generator, kernel";

  /** Looks at the process that answers claims, and at its servers. */
  public static ProcessorTimes of(long service, DevServices servers) {
    Map<String, Long> pids = new LinkedHashMap<>();
    pids.put("service", service);
    pids.put("PostgreSQL", servers.postgres().pid());
    pids.put("Redis", servers.redis().pid());
    pids.put("broker", servers.amqp().pid());
    return of(pids);
  }

  /**
   * Looks at them.
   *
   * @param pidByProgram processes that run
   */
  static ProcessorTimes of(Map<String, Long> pidByProgram) {
    Set<Long> roots = Set.copyOf(pidByProgram.values());
    Map<String, Duration> times = new LinkedHashMap<>();
    pidByProgram.forEach((program, pid) -> times.put(program, ofProgram(pid, roots)));
    return new ProcessorTimes(times, System.nanoTime(), MachineProbe.times());
  }

  private static Duration ofProgram(long pid, Set<Long> roots) {
    return ProcessHandle.of(pid).stream()
        .flatMap(root -> withStarted(root, roots))
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static Stream<ProcessHandle> withStarted(ProcessHandle process, Set<Long> roots) {
    return Stream.concat(
        Stream.of(process),
        process
            .children()
            .filter(child -> !roots.contains(child.pid()))
            .flatMap(child -> withStarted(child, roots)));
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
