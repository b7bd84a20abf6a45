package io.firstcome.benchmark.rig;

import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.port.BrokerUnavailableException;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.ClaimQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A queue in memory where the service has its broker. It loses everything with the JVM, which the
 * hand-off log is there for: what was not recorded is still in it and is swept up.
 */
final class DirectHandOff implements ClaimPublisher, ClaimQueue {

  private final BlockingQueue<HandoffEntry> entries;
  private final RigLimits limits;

  DirectHandOff(RigLimits limits) {
    this.entries = new ArrayBlockingQueue<>(limits.handOffEntries());
    this.limits = limits;
  }

  @Override
  public void publish(List<HandoffEntry> published) {
    try {
      for (var entry : published) {
        if (!entries.offer(entry, limits.handOffWait().toMillis(), TimeUnit.MILLISECONDS)) {
          throw new BrokerUnavailableException("the recorders do not keep up", null);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BrokerUnavailableException("interrupted", e);
    }
  }

  @Override
  public long waiting() {
    return entries.size();
  }

  /** What is there by now, after waiting a bounded time for the first of it. */
  List<HandoffEntry> take(int max, Duration wait) throws InterruptedException {
    var first = entries.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
    if (first == null) {
      return List.of();
    }
    var taken = new ArrayList<HandoffEntry>(max);
    taken.add(first);
    entries.drainTo(taken, max - 1);
    return taken;
  }
}
