package io.firstcome.adapter.redis;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.UserId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A Bloom filter of the users in a ledger, of 12 bits each: 3 in 1,000 other users may have a mark
 * by it. Thread-safe; it only grows.
 */
final class LedgerFilter {

  private static final double FALSE_POSITIVES = 0.003;

  /** What a user takes in the filter with that rate of false positives. */
  private static final double BITS = 12.1;

  /** A strategy, the number of hash functions, and the number of longs that follow. */
  private static final int HEADER = 2 + Integer.BYTES;

  private final Epoch epoch;
  private final String id;
  private final BloomFilter<CharSequence> users;

  /** How many users of the list of later ones are in it. */
  private final AtomicInteger later = new AtomicInteger();

  private LedgerFilter(Epoch epoch, String id, BloomFilter<CharSequence> users) {
    this.epoch = epoch;
    this.id = id;
    this.users = users;
  }

  /**
   * An empty filter for a ledger of that many users and those who get a mark before lease.lua
   * requires another filter.
   *
   * @param id of the filter, within the epoch
   */
  static LedgerFilter empty(Epoch epoch, String id, long users) {
    return new LedgerFilter(
        epoch,
        id,
        BloomFilter.create(Funnels.unencodedCharsFunnel(), capacity(users), FALSE_POSITIVES));
  }

  /**
   * Reads what {@link #toBytes} has written.
   *
   * @throws UncheckedIOException if the bytes are not a filter
   */
  static LedgerFilter of(Epoch epoch, String id, byte[] bytes) {
    try {
      requireWhole(bytes);
      return new LedgerFilter(
          epoch,
          id,
          BloomFilter.readFrom(new ByteArrayInputStream(bytes), Funnels.unencodedCharsFunnel()));
    } catch (IOException e) {
      throw new UncheckedIOException("not a filter of a ledger", e);
    }
  }

  /** Guava allocates as much memory as the header says, before it reads. */
  private static void requireWhole(byte[] bytes) throws IOException {
    boolean isWhole =
        bytes.length > HEADER
            && bytes.length - HEADER
                == (long) Long.BYTES * ByteBuffer.wrap(bytes).getInt(HEADER - Integer.BYTES);
    if (!isWhole) {
      throw new IOException("it has another length than its header says");
    }
  }

  private static long capacity(long users) {
    return users + users / 4 + 1_000;
  }

  /** The size in bytes of a filter of a ledger with that many users. */
  static long size(long users) {
    return (long) (capacity(users) * BITS / Byte.SIZE);
  }

  /** The most users of a ledger whose filter has at most that size. */
  static long maxUsers(long bytes) {
    return (long) (bytes * Byte.SIZE / BITS * 4 / 5) - 1_000;
  }

  byte[] toBytes() {
    try {
      var bytes = new ByteArrayOutputStream();
      users.writeTo(bytes);
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to memory", e);
    }
  }

  boolean isOf(Epoch other) {
    return epoch.equals(other);
  }

  String id() {
    return id;
  }

  int later() {
    return later.get();
  }

  void add(String user) {
    users.put(user);
  }

  /**
   * Adds the next users of the list of later ones.
   *
   * @param from how many users of the list come before them
   */
  void addLater(int from, List<String> next) {
    next.forEach(this::add);
    later.accumulateAndGet(from + next.size(), Math::max);
  }

  boolean mayHaveMark(UserId user) {
    return users.mightContain(user.value());
  }
}
