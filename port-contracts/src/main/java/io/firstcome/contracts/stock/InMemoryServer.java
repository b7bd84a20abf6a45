package io.firstcome.contracts.stock;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.ArchiveClearing;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.FenceState;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.waitingroom.RoomState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The data of a stock server. One lock makes every call atomic, as one thread does in Redis. */
final class InMemoryServer {

  private final InstantSource clock;
  private final int logCap;
  private final Map<Partition, PartitionData> partitions = new TreeMap<>();
  private int run;
  private int lastRun;

  InMemoryServer(InstantSource clock, int logCap) {
    this.clock = clock;
    this.logCap = logCap;
  }

  int logCap() {
    return logCap;
  }

  synchronized <T> T atomically(Supplier<T> call) {
    return call.get();
  }

  /** Every run is new, even if data of an earlier run was restored. */
  synchronized void restart() {
    run = ++lastRun;
  }

  synchronized void wipe() {
    partitions.clear();
  }

  synchronized Copy copy() {
    return new Copy(run, copyOf(partitions));
  }

  /** Takes over the data and the run of the copy: it becomes the server that was copied. */
  synchronized void become(Copy copy) {
    partitions.clear();
    partitions.putAll(copyOf(copy.partitions));
    run = copy.run;
  }

  private Map<Partition, PartitionData> copyOf(Map<Partition, PartitionData> data) {
    Map<Partition, PartitionData> copy = new TreeMap<>();
    data.forEach((partition, of) -> copy.put(partition, new PartitionData(of)));
    return copy;
  }

  /** A snapshot of the server, with its run. */
  static final class Copy {

    private final int run;
    private final Map<Partition, PartitionData> partitions;

    private Copy(int run, Map<Partition, PartitionData> partitions) {
      this.run = run;
      this.partitions = partitions;
    }
  }

  Instant now() {
    return clock.instant();
  }

  synchronized List<PartitionData> partitions() {
    return List.copyOf(partitions.values());
  }

  PartitionData partition(Partition partition) {
    return partitions.computeIfAbsent(partition, PartitionData::new);
  }

  PartitionData openPartition(StockAddress address) {
    var partition = partition(address.partition());
    if (!partition.fence().isOpenAt(address.epoch())) {
      throw new StockFencedException("not open in epoch " + address.epoch());
    }
    return partition;
  }

  /** The coupon's stock, ready in this epoch, in a partition that is open or recovers. */
  Stock openCoupon(StockAddress address) {
    var stock = couponOfEpoch(address);
    if (!stock.isReadyIn(address.epoch())) {
      throw new StockFencedException("coupon not ready in epoch " + address.epoch());
    }
    return stock;
  }

  /** The coupon's stock, whether ready or not, if the partition is in the address's epoch. */
  Stock couponOfEpoch(StockAddress address) {
    var partition = partition(address.partition());
    var fence = partition.fence();
    if (!fence.ofThisServer() || !fence.epoch().equals(address.epoch())) {
      throw new StockFencedException("not in epoch " + address.epoch());
    }
    return partition.stock(address.couponId());
  }

  /** A partition's fence, stocks and log. */
  final class PartitionData {

    final TreeMap<Long, LogEntry> log = new TreeMap<>();

    /** Coupons that were removed in this epoch. */
    final Set<CouponId> removed = new HashSet<>();

    ArchiveClearing clearing = new ArchiveClearing.Done();

    private final Partition partition;
    private final Map<CouponId, Stock> stocks = new HashMap<>();
    private FenceState.Kind kind = FenceState.Kind.MISSING;
    private Epoch epoch = Epoch.NONE;
    private int fencedInRun;
    private long lastEntry;

    PartitionData(Partition partition) {
      this.partition = partition;
    }

    private PartitionData(PartitionData other) {
      partition = other.partition;
      other.log.forEach((id, entry) -> log.put(id, new LogEntry(entry)));
      other.stocks.forEach((couponId, stock) -> stocks.put(couponId, new Stock(stock)));
      removed.addAll(other.removed);
      clearing = other.clearing;
      kind = other.kind;
      epoch = other.epoch;
      fencedInRun = other.fencedInRun;
      lastEntry = other.lastEntry;
    }

    /** The coupon's stock, which is made empty if absent. */
    Stock stock(CouponId couponId) {
      return stocks.computeIfAbsent(couponId, absent -> new Stock());
    }

    /** Whether claims of the coupon are compared with pseudonyms. */
    boolean hasErasedUsers(CouponId couponId) {
      var stock = stocks.get(couponId);
      return stock != null && stock.hasErasedUsers;
    }

    /** The user's mark in the ledger of the coupon, or null. */
    @Nullable LedgerMark markOf(CouponId couponId, UserId user) {
      var stock = stocks.get(couponId);
      return stock == null ? null : stock.ledger.get(user);
    }

    void clear(CouponId couponId) {
      stocks.remove(couponId);
    }

    FenceState fence() {
      return new FenceState(kind, epoch, kind != FenceState.Kind.MISSING && fencedInRun == run);
    }

    void setFence(FenceState.Kind newKind, Epoch newEpoch) {
      kind = newKind;
      epoch = newEpoch;
      fencedInRun = run;
    }

    boolean logIsFull() {
      return log.size() >= logCap;
    }

    void append(StockAddress address, List<SlotClaim> claims, Instant now) {
      long id = ++lastEntry;
      var reference = new EntryReference(partition, String.valueOf(id), address.epoch());
      log.put(id, new LogEntry(new HandoffEntry(reference, address.couponId(), now, claims)));
    }
  }

  /** An entry, how often it was read, and when last. */
  static final class LogEntry {

    final HandoffEntry entry;
    int reads;
    Instant lastRead = Instant.MIN;

    LogEntry(HandoffEntry entry) {
      this.entry = entry;
    }

    private LogEntry(LogEntry other) {
      entry = other.entry;
      reads = other.reads;
      lastRead = other.lastRead;
    }
  }

  /** One coupon's ledger and slots. */
  static final class Stock {

    final Map<UserId, LedgerMark> ledger = new LinkedHashMap<>();
    final TreeSet<Integer> returned = new TreeSet<>();
    final Map<Slot, Integer> lastFreed = new HashMap<>();

    /** The last lease on "sold out" that is not ended, or 0. */
    long lease;

    /** How many leases were granted. */
    long leases;

    /** Whether a late claim waits until leases are over. */
    boolean adoptionWaits;

    /** Whether claims are compared with pseudonyms. */
    boolean hasErasedUsers;

    /** The tickets of users in the waiting room. */
    final Map<UserId, Integer> tickets = new HashMap<>();

    /** The waiting room, as it is in {@link #roomEpoch}; null if it was never opened. */
    @Nullable RoomState room;

    Epoch roomEpoch = Epoch.NONE;

    private int next = 1;
    private Epoch readyIn = Epoch.NONE;
    private @Nullable StockTerms terms;

    private Stock() {}

    private Stock(Stock other) {
      ledger.putAll(other.ledger);
      returned.addAll(other.returned);
      lastFreed.putAll(other.lastFreed);
      lease = other.lease;
      leases = other.leases;
      adoptionWaits = other.adoptionWaits;
      hasErasedUsers = other.hasErasedUsers;
      tickets.putAll(other.tickets);
      room = other.room;
      roomEpoch = other.roomEpoch;
      next = other.next;
      readyIn = other.readyIn;
      terms = other.terms;
    }

    boolean isReadyIn(Epoch epoch) {
      return isThere() && readyIn.equals(epoch);
    }

    boolean isThere() {
      return terms != null;
    }

    StockTerms terms() {
      if (terms == null) {
        throw new IllegalStateException("stock without terms");
      }
      return terms;
    }

    Stock ready(StockTerms newTerms, int newNext, Epoch epoch) {
      terms = newTerms;
      next = newNext;
      readyIn = epoch;
      lease = 0;
      adoptionWaits = false;
      return this;
    }

    int next() {
      return next;
    }

    /** Whether a user has a ticket of the waiting room, or had one before a loss. */
    boolean hasTickets() {
      return !tickets.isEmpty() || (room != null && room.lastTicket() > 0);
    }

    void freeze() {
      terms = terms().frozen();
    }

    void change(StockTerms newTerms) {
      terms = newTerms;
      returned.tailSet(newTerms.totalQuantity(), false).clear();
    }

    void expectPseudonyms() {
      hasErasedUsers = true;
    }

    void erase(UserId user, UserId pseudonym) {
      hasErasedUsers = true;
      tickets.remove(user);
      var mark = ledger.remove(user);
      if (mark != null) {
        ledger.putIfAbsent(pseudonym, mark);
      }
    }

    boolean release(UserId user, Slot slot, int generation) {
      boolean holds = new LedgerMark.Holds(slot).equals(ledger.get(user));
      if (!holds || generation <= lastFreed.getOrDefault(slot, 0)) {
        return false;
      }
      ledger.put(user, new LedgerMark.GaveBack(slot));
      if (slot.number() <= terms().totalQuantity()) {
        returned.add(slot.number());
      }
      lastFreed.put(slot, generation);
      return true;
    }

    void clearFree() {
      returned.clear();
      lastFreed.clear();
    }

    int free() {
      return returned.size() + Math.max(0, terms().totalQuantity() - next + 1);
    }

    Slot takeSlot(UserId user) {
      var slot = new Slot(returned.isEmpty() ? next++ : returned.removeFirst());
      ledger.put(user, new LedgerMark.Holds(slot));
      return slot;
    }

    /** The promised slot if it is free, else the lowest free one. */
    Slot takeSlot(UserId user, Slot promised) {
      if (promised.number() == next && next <= terms().totalQuantity()) {
        next++;
      } else if (!returned.remove(promised.number())) {
        return takeSlot(user);
      }
      ledger.put(user, new LedgerMark.Holds(promised));
      return promised;
    }
  }
}
