package io.firstcome.contracts.stock.history;

import io.firstcome.contracts.stock.HandoffStockUnderTest;
import io.firstcome.contracts.stock.history.PartitionView.CouponView;
import io.firstcome.contracts.stock.history.PartitionView.Entry;
import io.firstcome.contracts.stock.history.PartitionView.LogView;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.handoff.LogDepth;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockRecovery;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One of the two backends: makes calls, and returns its state in a form that both share. */
final class Side {

  private static final int PAGE = 3;

  private final HandoffStockUnderTest backend;
  private final CouponStock stock;
  private final StockRecovery recovery;
  private final HandoffLog log;
  private final SoldOutLeases leases;
  private final Map<Partition, List<EntryReference>> entries = new HashMap<>();
  private final Map<Partition, Instant> lastLook = new HashMap<>();

  Side(HandoffStockUnderTest backend) {
    this.backend = backend;
    stock = backend.stock();
    recovery = backend.recovery();
    log = backend.log();
    leases = backend.leases();
  }

  HandoffStockUnderTest backend() {
    return backend;
  }

  CouponStock stock() {
    return stock;
  }

  StockRecovery recovery() {
    return recovery;
  }

  HandoffLog log() {
    return log;
  }

  SoldOutLeases leases() {
    return leases;
  }

  /** The side's own reference of the entry with the number. */
  EntryReference entry(Partition partition, int number) {
    return seenIn(partition).get(number - 1);
  }

  /** The entries in the shared form, by partition, because there is no order between partitions. */
  List<Entry> shared(List<HandoffEntry> read) {
    return read.stream().map(this::shared).sorted(Comparator.comparing(Entry::partition)).toList();
  }

  private Entry shared(HandoffEntry entry) {
    var partition = entry.reference().partition();
    int number = 1 + seenIn(partition).indexOf(entry.reference());
    return new Entry(
        partition, number, entry.reference().epoch(), entry.couponId(), entry.claims());
  }

  private List<EntryReference> seenIn(Partition partition) {
    return entries.computeIfAbsent(partition, first -> new ArrayList<>());
  }

  /** The visible state of the partition. */
  PartitionView look(Partition partition, Collection<CouponId> coupons) {
    var fence = recovery.fence(partition);
    Map<CouponId, CouponView> views = new TreeMap<>();
    for (var couponId : coupons) {
      views.put(couponId, look(new StockAddress(couponId, partition, fence.epoch())));
    }
    return new PartitionView(fence, observeLog(partition), views);
  }

  CouponView look(StockAddress coupon) {
    return new CouponView(
        PortReply.of(() -> ledger(coupon)),
        PortReply.of(() -> stock.level(coupon)),
        PortReply.of(() -> returned(coupon)));
  }

  LogView observeLog(Partition partition) {
    var waiting = waiting(partition);
    var depth = log.depth(partition);
    checkTimes(partition, waiting, depth);
    return new LogView(shared(waiting), depth.entries());
  }

  private Map<UserId, LedgerMark> ledger(StockAddress coupon) {
    Map<UserId, LedgerMark> marks = new TreeMap<>();
    @Nullable String cursor = null;
    do {
      var page = stock.ledger(coupon, cursor);
      marks.putAll(page.marks());
      cursor = page.next();
    } while (cursor != null);
    return marks;
  }

  private List<Slot> returned(StockAddress coupon) {
    var slots = new ArrayList<Slot>();
    List<Slot> page;
    do {
      page = stock.returned(coupon, slots.isEmpty() ? null : slots.getLast(), PAGE);
      slots.addAll(page);
    } while (page.size() == PAGE);
    return slots;
  }

  private List<HandoffEntry> waiting(Partition partition) {
    var waiting = new ArrayList<HandoffEntry>();
    List<HandoffEntry> page;
    do {
      var last = waiting.isEmpty() ? null : waiting.getLast().reference().entryId();
      page = log.peek(partition, last, PAGE);
      waiting.addAll(page);
    } while (page.size() == PAGE);
    return waiting;
  }

  /** Times differ between the sides, but each must be right by the side's own clock. */
  private void checkTimes(Partition partition, List<HandoffEntry> waiting, LogDepth depth) {
    var oldest = waiting.isEmpty() ? null : waiting.getFirst().acceptedAt();
    require(oldest == null ? depth.oldest() == null : oldest.equals(depth.oldest()), waiting);
    var before = lastLook.getOrDefault(partition, Instant.EPOCH).truncatedTo(ChronoUnit.MILLIS);
    for (var entry : waiting) {
      if (!seenIn(partition).contains(entry.reference())) {
        seenIn(partition).add(entry.reference());
        require(!entry.acceptedAt().isBefore(before), waiting);
      }
    }
    require(waiting.stream().noneMatch(e -> e.acceptedAt().isAfter(depth.asOf())), waiting);
    lastLook.put(partition, depth.asOf());
  }

  private static void require(boolean rightTime, List<HandoffEntry> waiting) {
    if (!rightTime) {
      throw new AssertionError("times in the log are wrong: " + waiting);
    }
  }
}
