package io.firstcome.adapter.redis;

import io.firstcome.adapter.redis.LogEntries.UnreadableEntryException;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.handoff.LogDepth;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.StockUnavailableException;
import io.lettuce.core.Consumer;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The hand-off log: a Redis stream for each partition, read by one consumer group. An entry that a
 * reader of the group has read stays pending, and in the stream, until it is recorded; the stream
 * is never trimmed.
 */
final class RedisHandoffLog implements HandoffLog {

  static final String GROUP = "relay";

  private static final String FROM_THE_START = "-";

  private final RedisConnection reading;
  private final RedisConnection others;
  private final Consumer<String> reader;
  private final Map<String, Partition> partitionByKey;
  private final RedisLimits limits;
  private final IssuanceObserver observer;

  /** Where in each partition the next search for stale entries begins. */
  private final ConcurrentHashMap<Partition, String> staleCursors = new ConcurrentHashMap<>();

  /**
   * @param reading carries only blocking reads
   * @param readerName name of this instance in the consumer group
   */
  RedisHandoffLog(
      RedisConnection reading,
      RedisConnection others,
      String readerName,
      List<Partition> partitions,
      RedisLimits limits,
      IssuanceObserver observer) {
    this.reading = reading;
    this.others = others;
    this.reader = Consumer.from(GROUP, readerName);
    this.partitionByKey =
        partitions.stream().collect(Collectors.toUnmodifiableMap(RedisKeys::handoff, p -> p));
    this.limits = limits;
    this.observer = observer;
  }

  @Override
  public List<HandoffEntry> readNew(int max, Duration wait) {
    try {
      return read(
          XReadArgs.Builder.count(max).block(wait), partitionByKey.keySet().toArray(String[]::new));
    } catch (StockUnavailableException e) {
      if (e.getCause() == null || !RedisErrors.isUnknownGroup(e.getCause())) {
        throw e;
      }
    }
    return readExisting(max, wait);
  }

  /** A log that does not exist yet, or was just deleted, must not block the others. */
  private List<HandoffEntry> readExisting(int max, Duration wait) {
    var entries = new ArrayList<HandoffEntry>();
    for (var key : partitionByKey.keySet()) {
      try {
        entries.addAll(read(XReadArgs.Builder.count(max), key));
      } catch (StockUnavailableException e) {
        if (e.getCause() == null || !RedisErrors.isUnknownGroup(e.getCause())) {
          throw e;
        }
      }
    }
    if (entries.isEmpty()) {
      LockSupport.parkNanos(Math.min(wait.toNanos(), limits.idlePause().toNanos()));
    }
    return entries;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // the varargs of a generic type
  private List<HandoffEntry> read(XReadArgs args, String... keys) {
    StreamOffset<String>[] logs =
        Arrays.stream(keys).map(StreamOffset::lastConsumed).toArray(StreamOffset[]::new);
    return reading.run(commands -> commands.xreadgroup(reader, args, logs)).stream()
        .flatMap(
            message -> decode(partition(message.getStream()), message.getId(), message.getBody()))
        .toList();
  }

  @Override
  public List<HandoffEntry> readStale(Duration age, int max) {
    var entries = new ArrayList<HandoffEntry>();
    for (var partition : partitionByKey.values()) {
      forgetReaders(partition);
      var reply =
          others.call(
              LuaScript.READ_STALE,
              new String[] {RedisKeys.handoff(partition)},
              GROUP,
              reader.getName(),
              Long.toString(age.toMillis()),
              Integer.toString(max),
              staleCursors.getOrDefault(partition, FROM_THE_START));
      staleCursors.put(partition, (String) reply.get(1));
      for (var raw : (List<?>) reply.get(2)) {
        var idAndFields = (List<?>) raw;
        decode(partition, (String) idAndFields.get(0), fields((List<?>) idAndFields.get(1)))
            .forEach(entries::add);
      }
    }
    return entries;
  }

  /**
   * Deletes idle readers: each instance leaves one behind, under a pod name that is not used again.
   */
  private void forgetReaders(Partition partition) {
    others.call(
        LuaScript.FORGET_READERS,
        new String[] {RedisKeys.handoff(partition)},
        GROUP,
        Long.toString(limits.readerIdle().toMillis()));
  }

  private static Map<String, String> fields(List<?> pairs) {
    Map<String, String> fields = new HashMap<>();
    for (int i = 0; i < pairs.size(); i += 2) {
      fields.put((String) pairs.get(i), (String) pairs.get(i + 1));
    }
    return fields;
  }

  @Override
  public void recorded(List<EntryReference> entries) {
    var byPartition =
        entries.stream().distinct().collect(Collectors.groupingBy(EntryReference::partition));
    byPartition.forEach((partition, references) -> {
      var args = new ArrayList<String>(2 * references.size() + 1);
      args.add(GROUP);
      for (var reference : references) {
        args.add(reference.entryId());
        args.add(reference.epoch().toString());
      }
      others.call(
          LuaScript.RECORDED,
          new String[] {RedisKeys.handoff(partition)},
          args.toArray(String[]::new));
    });
  }

  @Override
  public int cap() {
    return limits.logCap();
  }

  @Override
  public LogDepth depth(Partition partition) {
    var key = RedisKeys.handoff(partition);
    long entries = others.run(commands -> commands.xlen(key));
    var first = range(partition, null, 1);
    return new LogDepth(
        entries,
        first.isEmpty()
            ? null
            : LogEntries.writtenAt(first.getFirst().getId(), first.getFirst().getBody()),
        RedisTime.ask(others));
  }

  /** Skips pages with only unreadable entries, because an empty page means the end of the log. */
  @Override
  public List<HandoffEntry> peek(Partition partition, @Nullable String after, int max) {
    var messages = range(partition, after, max);
    var entries = entries(partition, messages);
    while (entries.isEmpty() && !messages.isEmpty()) {
      messages = range(partition, messages.getLast().getId(), max);
      entries = entries(partition, messages);
    }
    return entries;
  }

  private static List<HandoffEntry> entries(
      Partition partition, List<StreamMessage<String, String>> messages) {
    return messages.stream().flatMap(message -> decodeOrSkip(partition, message)).toList();
  }

  private List<StreamMessage<String, String>> range(
      Partition partition, @Nullable String after, int max) {
    var range =
        after == null
            ? Range.<String>unbounded()
            : Range.from(Range.Boundary.excluding(after), Range.Boundary.<String>unbounded());
    var key = RedisKeys.handoff(partition);
    return others.run(commands -> commands.xrange(key, range, Limit.from(max)));
  }

  private Partition partition(String key) {
    var partition = partitionByKey.get(key);
    if (partition == null) {
      throw new IllegalStateException("Redis returned a log that was not requested: " + key);
    }
    return partition;
  }

  /** The entry for the relay. An unreadable one is reported, and stays for a later release. */
  private Stream<HandoffEntry> decode(Partition partition, String id, Map<String, String> fields) {
    try {
      return Stream.of(LogEntries.read(partition, id, fields));
    } catch (UnreadableEntryException e) {
      observer.observe(new RecordingObservation.EntryUnreadable(partition, id, e.reason()));
      return Stream.of();
    }
  }

  private static Stream<HandoffEntry> decodeOrSkip(
      Partition partition, StreamMessage<String, String> message) {
    try {
      return Stream.of(LogEntries.read(partition, message.getId(), message.getBody()));
    } catch (UnreadableEntryException e) {
      return Stream.of();
    }
  }
}
