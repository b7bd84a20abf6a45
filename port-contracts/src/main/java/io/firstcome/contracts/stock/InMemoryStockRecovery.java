package io.firstcome.contracts.stock;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.ArchiveClearing;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.FenceState;
import io.firstcome.domain.issuance.FenceState.Kind;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockRecovery;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The in-memory reference recovery. */
final class InMemoryStockRecovery implements StockRecovery {

  private final InMemoryServer server;

  InMemoryStockRecovery(InMemoryServer server) {
    this.server = server;
  }

  @Override
  public FenceState fence(Partition partition) {
    return server.atomically(() -> server.partition(partition).fence());
  }

  @Override
  public void begin(Partition partition, Epoch epoch) {
    server.atomically(() -> {
      var data = server.partition(partition);
      if (!epoch.isAfter(data.fence().epoch())) {
        throw new StockFencedException("already in epoch " + data.fence().epoch());
      }
      data.removed.clear();
      data.clearing = new ArchiveClearing.After(null);
      data.setFence(Kind.RECOVERING, epoch);
      return true;
    });
  }

  @Override
  public Map<UserId, LedgerMark> marks(StockAddress coupon, List<UserId> users) {
    return server.atomically(() -> {
      var marks = new HashMap<>(recovering(coupon).ledger);
      marks.keySet().retainAll(Set.copyOf(users));
      return marks;
    });
  }

  @Override
  public long ledgerSize(StockAddress coupon) {
    return server.atomically(() -> recovering(coupon).ledger.size());
  }

  @Override
  public void putMarks(StockAddress coupon, Map<UserId, LedgerMark> marks) {
    recovering(coupon, stock -> stock.ledger.putAll(marks));
  }

  @Override
  public void forget(StockAddress coupon, List<UserId> users) {
    recovering(coupon, stock -> users.forEach(stock.ledger::remove));
  }

  @Override
  public List<SlotClaim> reserve(StockAddress coupon, List<SlotClaim> claims) {
    return server.atomically(() -> {
      var stock = recovering(coupon);
      return claims.stream()
          .filter(claim ->
              stock.ledger.putIfAbsent(claim.userId(), new LedgerMark.Holds(claim.slot())) == null)
          .toList();
    });
  }

  @Override
  public void clearFree(StockAddress coupon) {
    recovering(coupon, InMemoryServer.Stock::clearFree);
  }

  @Override
  public void putFreed(StockAddress coupon, Map<Slot, Integer> generations) {
    recovering(coupon, stock -> stock.lastFreed.putAll(generations));
  }

  @Override
  public void addFree(StockAddress coupon, List<Slot> slots) {
    recovering(coupon, stock -> slots.forEach(slot -> stock.returned.add(slot.number())));
  }

  @Override
  public void ready(StockAddress coupon, StockTerms terms, int next, boolean hasErasedUsers) {
    recovering(
        coupon, stock -> stock.ready(terms, next, coupon.epoch()).hasErasedUsers = hasErasedUsers);
  }

  @Override
  public void open(Partition partition, Epoch epoch) {
    server.atomically(() -> {
      requireRecovering(partition, epoch);
      server.partition(partition).setFence(Kind.OPEN, epoch);
      return true;
    });
  }

  @Override
  public ArchiveClearing clearing(Partition partition, Epoch epoch) {
    return server.atomically(() -> open(server.partition(partition), epoch).clearing);
  }

  @Override
  public void clear(Partition partition, Epoch epoch, List<CouponId> archived) {
    server.atomically(() -> {
      var data = open(server.partition(partition), epoch);
      archived.forEach(data::clear);
      data.clearing =
          archived.isEmpty()
              ? new ArchiveClearing.Done()
              : new ArchiveClearing.After(archived.getLast());
      return true;
    });
  }

  private static InMemoryServer.PartitionData open(
      InMemoryServer.PartitionData partition, Epoch epoch) {
    if (!partition.fence().isOpenAt(epoch)) {
      throw new StockFencedException("not open in epoch " + epoch);
    }
    return partition;
  }

  private void recovering(StockAddress coupon, Consumer<InMemoryServer.Stock> step) {
    server.atomically(() -> {
      step.accept(recovering(coupon));
      return true;
    });
  }

  private InMemoryServer.Stock recovering(StockAddress coupon) {
    requireRecovering(coupon.partition(), coupon.epoch());
    return server.couponOfEpoch(coupon);
  }

  private void requireRecovering(Partition partition, Epoch epoch) {
    var fence = server.partition(partition).fence();
    if (!fence.equals(new FenceState(Kind.RECOVERING, epoch, true))) {
      throw new StockFencedException("not recovering in epoch " + epoch);
    }
  }
}
