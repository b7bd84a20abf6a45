package io.firstcome.contracts.stock;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.handoff.LogDepth;
import io.firstcome.domain.port.HandoffLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The in-memory reference hand-off log. It never waits: a read of an empty log returns at once. */
final class InMemoryHandoffLog implements HandoffLog {

  private static final int MAX_DOUBLINGS = 3;

  private final InMemoryServer server;

  InMemoryHandoffLog(InMemoryServer server) {
    this.server = server;
  }

  @Override
  public List<HandoffEntry> readNew(int max, Duration wait) {
    return read(max, entry -> entry.reads == 0);
  }

  @Override
  public List<HandoffEntry> readStale(Duration age, int max) {
    return read(max, entry -> entry.reads > 0 && (isDue(age, entry) || wasReadAhead(age, entry)));
  }

  private boolean isDue(Duration age, InMemoryServer.LogEntry entry) {
    return !entry.lastRead.plus(due(age, entry)).isAfter(server.now());
  }

  /** The clock was ahead at the last read. Without this, the entry would not be due until then. */
  private boolean wasReadAhead(Duration age, InMemoryServer.LogEntry entry) {
    return entry.lastRead.isAfter(server.now().plus(age));
  }

  private static Duration due(Duration age, InMemoryServer.LogEntry entry) {
    return age.multipliedBy(1L << Math.min(entry.reads - 1, MAX_DOUBLINGS));
  }

  private List<HandoffEntry> read(int max, Predicate<InMemoryServer.LogEntry> wanted) {
    return server.atomically(() -> {
      var read = new ArrayList<HandoffEntry>();
      for (var partition : server.partitions()) {
        partition.log.values().stream()
            .filter(wanted)
            .limit(max)
            .forEach(entry -> {
              entry.reads++;
              entry.lastRead = server.now();
              read.add(entry.entry);
            });
      }
      return read;
    });
  }

  @Override
  public void recorded(List<EntryReference> entries) {
    server.atomically(() -> {
      for (var reference : entries) {
        server
            .partition(reference.partition())
            .log
            .values()
            .removeIf(entry -> entry.entry.reference().equals(reference));
      }
      return true;
    });
  }

  @Override
  public int cap() {
    return server.logCap();
  }

  @Override
  public LogDepth depth(Partition partition) {
    return server.atomically(() -> {
      var log = server.partition(partition).log;
      Instant oldest = log.isEmpty() ? null : log.firstEntry().getValue().entry.acceptedAt();
      return new LogDepth(log.size(), oldest, server.now());
    });
  }

  @Override
  public List<HandoffEntry> peek(Partition partition, @Nullable String after, int max) {
    return server.atomically(() ->
        server
            .partition(partition)
            .log
            .tailMap(after == null ? 0L : Long.parseLong(after), false)
            .values()
            .stream()
            .limit(max)
            .map(entry -> entry.entry)
            .toList());
  }
}
