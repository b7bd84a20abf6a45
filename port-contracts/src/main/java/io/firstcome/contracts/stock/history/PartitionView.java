package io.firstcome.contracts.stock.history;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.FenceState;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.UserId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The visible state of a partition between two calls. */
record PartitionView(FenceState fence, LogView log, Map<CouponId, CouponView> coupons) {

  /** The visible state of one coupon in the epoch of the fence. */
  record CouponView(
      PortReply<Map<UserId, LedgerMark>> ledger,
      PortReply<StockLevel> level,
      PortReply<List<Slot>> free) {

    /** Whether calls for the coupon are not fenced. */
    boolean takesCalls() {
      return level instanceof PortReply.Given;
    }

    Map<UserId, LedgerMark> marks() {
      return ledger.or(Map.of());
    }

    List<Slot> freeAgain() {
      return free.or(List.of());
    }
  }

  /**
   * The entries in its log.
   *
   * @param depth how many entries, as the log counts them
   */
  record LogView(List<Entry> entries, long depth) {}

  /**
   * An entry of the log without its id and its time, which differ between backends.
   *
   * @param number counts the entries of the partition in the order in which they were first seen
   */
  record Entry(
      Partition partition, int number, Epoch epoch, CouponId couponId, List<SlotClaim> claims) {}

  CouponView coupon(CouponId couponId) {
    return Objects.requireNonNull(coupons.get(couponId));
  }

  PartitionView with(LogView newLog) {
    return new PartitionView(fence, newLog, coupons);
  }

  PartitionView with(CouponId couponId, CouponView view) {
    Map<CouponId, CouponView> changed = new TreeMap<>(coupons);
    changed.put(couponId, view);
    return new PartitionView(fence, log, changed);
  }

  boolean isOpen() {
    return fence.isOpenAt(fence.epoch());
  }
}
