package io.firstcome.bootstrap.rehearsal;

import com.sun.management.OperatingSystemMXBean;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.StockServer;
import io.firstcome.domain.rehearsal.CrowdPhase;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Measures how busy the machine is while a crowd claims, about ten times a second. {@link #run}
 * must be executed by a thread of its own.
 */
final class MachineLoad implements Runnable {

  private static final long EVERY_MILLIS = 100;

  private final OperatingSystemMXBean machine =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final Collection<Thread> crowd;
  private final @Nullable StockServer stock;
  private final long begun = System.nanoTime();
  private final List<Sample> samples = new CopyOnWriteArrayList<>();

  /** What was used since the begin, in nanoseconds. */
  private record Sample(long elapsed, long processor, long crowd, long stock) {

    static final Sample ZERO = new Sample(0, 0, 0, 0);

    CrowdPhase since(Sample earlier, int answers) {
      return new CrowdPhase(
          answers,
          Duration.ofNanos(Math.max(0, elapsed - earlier.elapsed)),
          Duration.ofNanos(Math.max(0, processor - earlier.processor)),
          Duration.ofNanos(Math.max(0, crowd - earlier.crowd)),
          Duration.ofNanos(Math.max(0, stock - earlier.stock)));
    }
  }

  /**
   * @param crowd the threads that send the claims
   * @param stock null if the stock is in the database
   */
  MachineLoad(Collection<Thread> crowd, @Nullable StockServer stock) {
    this.crowd = crowd;
    this.stock = stock;
  }

  /** Measures until it is interrupted, and once more then. */
  @Override
  public void run() {
    long stockBegin = stockTime(0);
    var last = Sample.ZERO;
    // The load is that since the previous call.
    machine.getCpuLoad();
    boolean goesOn = true;
    while (goesOn) {
      try {
        Thread.sleep(EVERY_MILLIS);
      } catch (InterruptedException e) {
        goesOn = false;
      }
      long elapsed = System.nanoTime() - begun;
      double busy = Math.max(0, machine.getCpuLoad()) * machine.getAvailableProcessors();
      last =
          new Sample(
              elapsed,
              last.processor() + Math.round(busy * (elapsed - last.elapsed())),
              crowdTime(last.crowd()),
              stockTime(stockBegin + last.stock()) - stockBegin);
      samples.add(last);
    }
  }

  private long crowdTime(long before) {
    var threads = ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (var thread : crowd) {
      // Of a thread that has ended it is -1.
      sum += Math.max(0, threads.getThreadCpuTime(thread.threadId()));
    }
    return Math.max(before, sum);
  }

  private long stockTime(long before) {
    try {
      return stock == null ? 0 : Math.max(before, stock.read().processorTime().toNanos());
    } catch (ServerUnavailableException e) {
      return before;
    }
  }

  int processors() {
    return machine.getAvailableProcessors();
  }

  /**
   * What was used until a time.
   *
   * @param nanos since the begin
   */
  CrowdPhase until(long nanos, int answers) {
    return sampleAt(nanos).since(Sample.ZERO, answers);
  }

  /** What was used from a time on. */
  CrowdPhase after(long nanos, int answers) {
    var last = samples.isEmpty() ? Sample.ZERO : samples.getLast();
    return last.since(sampleAt(nanos), answers);
  }

  /** Between two samples, use is assumed to grow evenly. */
  private Sample sampleAt(long nanos) {
    var earlier = Sample.ZERO;
    for (var sample : samples) {
      if (sample.elapsed() >= nanos) {
        double share =
            (double) (nanos - earlier.elapsed())
                / Math.max(1, sample.elapsed() - earlier.elapsed());
        return new Sample(
            nanos,
            between(earlier.processor(), sample.processor(), share),
            between(earlier.crowd(), sample.crowd(), share),
            between(earlier.stock(), sample.stock(), share));
      }
      earlier = sample;
    }
    return earlier;
  }

  private static long between(long from, long to, double share) {
    return from + Math.round((to - from) * share);
  }
}
