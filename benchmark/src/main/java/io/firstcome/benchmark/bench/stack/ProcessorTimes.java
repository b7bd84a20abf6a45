package io.firstcome.benchmark.bench.stack;

import io.firstcome.benchmark.bench.report.MachineProbe;
import io.firstcome.devservices.DevServices;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The processor time of programs until now, each with its child processes that are not listed as
 * programs themselves.
 *
 * @param byProgram in the order of the report
 * @param machine the counters of the operating system
 */
public record ProcessorTimes(Map<String, Duration> byProgram, long takenNanos, String machine) {

  /** All other processor time: the load generator, the kernel's own threads. */
  static final String OTHERS = "load generator, kernel";

  public static final String REDIS = "Redis";

  /** Reads the times of the process that answers claims, and of its servers. */
  public static ProcessorTimes of(long service, DevServices servers) {
    Map<String, Long> pids = new LinkedHashMap<>();
    pids.put("service", service);
    pids.put("PostgreSQL", servers.postgres().pid());
    pids.put(REDIS, servers.redis().pid());
    pids.put("broker", servers.amqp().pid());
    return of(pids);
  }

  /**
   * Reads their times.
   *
   * @param pidByProgram running processes
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

  /** The time of each program since then, and as the last entry that of all others. */
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
