package io.firstcome.benchmark.bench.service;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.handoff.LogDepth;
import io.firstcome.domain.port.HandoffLog;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A hand-off log that returns no entries: relay and sweep wait, and the recorder gets nothing. */
final class UnreadLog implements HandoffLog {

  private final HandoffLog log;

  UnreadLog(HandoffLog log) {
    this.log = log;
  }

  @Override
  public List<HandoffEntry> readNew(int max, Duration wait) {
    try {
      Thread.sleep(wait);
    } catch (InterruptedException e) {
      // The service stops: the calling loop checks the interrupt itself.
      Thread.currentThread().interrupt();
    }
    return List.of();
  }

  @Override
  public List<HandoffEntry> readStale(Duration age, int max) {
    return List.of();
  }

  @Override
  public void recorded(List<EntryReference> entries) {
    log.recorded(entries);
  }

  @Override
  public int cap() {
    return log.cap();
  }

  @Override
  public LogDepth depth(Partition partition) {
    return log.depth(partition);
  }

  @Override
  public List<HandoffEntry> peek(Partition partition, @Nullable String after, int max) {
    return log.peek(partition, after, max);
  }
}
