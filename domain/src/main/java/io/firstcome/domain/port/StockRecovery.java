package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.ArchiveClearing;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.FenceState;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import java.util.List;
import java.util.Map;

/**
 * Rebuilds the stock of one partition under a fence. After {@link #begin}, every call up to {@link
 * #open} requires that the fence is still {@code recovering} at the address's epoch on the same run
 * of the same server, else {@link StockFencedException}: a recoverer that was overtaken has no
 * effect. Only coupons that are made ready accept calls when the partition is open. Each call is
 * atomic and safe to retry. Failures are {@link StockUnavailableException}s.
 */
public interface StockRecovery {

  /** The current fence of the partition. */
  FenceState fence(Partition partition);

  /**
   * Closes the partition to every earlier epoch.
   *
   * @throws StockFencedException if the fence is at this epoch or a later one
   */
  void begin(Partition partition, Epoch epoch);

  /**
   * The ledger's marks of the users, while the partition is not open; a user without a mark is left
   * out.
   */
  Map<UserId, LedgerMark> marks(StockAddress coupon, List<UserId> users);

  /** The number of users in the ledger. */
  long ledgerSize(StockAddress coupon);

  /** Sets the ledger's marks of users, replacing existing ones. */
  void putMarks(StockAddress coupon, Map<UserId, LedgerMark> marks);

  /** Removes users from the ledger, whose claims are stored elsewhere. */
  void forget(StockAddress coupon, List<UserId> users);

  /**
   * Allocates slots without an owner to users who are not in the ledger.
   *
   * @return those of the claims whose user was not in the ledger, and is now
   */
  List<SlotClaim> reserve(StockAddress coupon, List<SlotClaim> claims);

  /** Deletes the set of free slots below the next one, and which generations were freed. */
  void clearFree(StockAddress coupon);

  /**
   * Sets how often slots were freed, so that their next generations can be freed.
   *
   * @param generations the last one freed of each slot
   */
  void putFreed(StockAddress coupon, Map<Slot, Integer> generations);

  /** Adds slots below the next one that have no owner. */
  void addFree(StockAddress coupon, List<Slot> slots);

  /**
   * Sets the coupon's terms and its next slot that was never allocated, and makes it ready for
   * claims.
   *
   * @param next at least 1; total + 1 if none is left, or more if a row is above the total
   * @param hasErasedUsers whether claims are compared with pseudonyms: the ledger of the coupon, or
   *     of another one of its campaign, has some
   */
  void ready(StockAddress coupon, StockTerms terms, int next, boolean hasErasedUsers);

  /** Opens the partition in the epoch of {@link #begin}. */
  void open(Partition partition, Epoch epoch);

  /**
   * How far the partition is cleared of archived coupons. Each {@link #begin} resets it.
   *
   * @throws StockFencedException unless the partition is open in the epoch
   */
  ArchiveClearing clearing(Partition partition, Epoch epoch);

  /**
   * Deletes data that an older state of the server has of these coupons, which were archived and
   * removed before; and notes that clearing continues after the last of them.
   *
   * @param archived the next ones by id; none if all were cleared
   * @throws StockFencedException unless the partition is open in the epoch: a recovery may still
   *     rebuild such a coupon as a closed one
   */
  void clear(Partition partition, Epoch epoch, List<CouponId> archived);
}
