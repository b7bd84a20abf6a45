package io.firstcome.contracts.database;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.DeadLetter;
import io.firstcome.domain.issuance.DeadLetterId;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What {@link InMemoryDatabase} holds. Not thread-safe: its transactions are. */
final class InMemoryTables {

  /** In the order in which they were defined. */
  final Map<CouponId, StoredCoupon> coupons = new LinkedHashMap<>();

  final Map<Partition, Epoch> epochs = new HashMap<>();
  final Set<Partition> recovering = new HashSet<>();
  final Set<CouponCode> codes = new HashSet<>();

  final NavigableMap<DeadLetterId, DeadLetter> deadLetters = new TreeMap<>();

  /** Counts all dead letters there ever were, as a sequence does. */
  long lastDeadLetterId;

  private final Map<CouponId, CouponRows> rowsByCoupon = new HashMap<>();

  InMemoryTables copy() {
    var copy = new InMemoryTables();
    copy.become(this);
    return copy;
  }

  /** Holds from now on what the other one holds; the rights to recover are nobody's data. */
  void become(InMemoryTables other) {
    coupons.clear();
    coupons.putAll(other.coupons);
    epochs.clear();
    epochs.putAll(other.epochs);
    codes.clear();
    codes.addAll(other.codes);
    deadLetters.clear();
    deadLetters.putAll(other.deadLetters);
    lastDeadLetterId = other.lastDeadLetterId;
    rowsByCoupon.clear();
    other.rowsByCoupon.forEach((couponId, rows) -> rowsByCoupon.put(couponId, rows.copy()));
  }

  CouponRows rows(CouponId couponId) {
    return rowsByCoupon.computeIfAbsent(couponId, id -> new CouponRows());
  }

  Epoch epoch(Partition partition) {
    return epochs.getOrDefault(partition, Epoch.NONE);
  }

  /**
   * A coupon and how far the stock backend is known to have followed it.
   *
   * @param stockRevision 0 for not at all
   */
  record StoredCoupon(Coupon coupon, int stockRevision) {

    boolean isNotYetInStock() {
      return stockRevision < coupon.revision();
    }
  }

  /** All that is kept of one coupon's claims. */
  static final class CouponRows {
    final Map<UserId, UserCoupon> byUser = new HashMap<>();
    final NavigableMap<Slot, UserId> liveBySlot = new TreeMap<>();

    /** Of these and earlier orders. */
    final Map<RedemptionId, Redemption> redemptions = new HashMap<>();

    /** By slot that went back: how many have held it. */
    final Map<Slot, Integer> generations = new HashMap<>();

    final NavigableMap<UserId, LateClaim> late = new TreeMap<>();
    final NavigableSet<UserId> rejected = new TreeSet<>();

    CouponRows copy() {
      var copy = new CouponRows();
      copy.byUser.putAll(byUser);
      copy.liveBySlot.putAll(liveBySlot);
      copy.redemptions.putAll(redemptions);
      copy.generations.putAll(generations);
      copy.late.putAll(late);
      copy.rejected.addAll(rejected);
      return copy;
    }
  }
}
