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
 * #open} demands that the fence is still {@code recovering} at the address's epoch on the same run
 * of the same server, else {@link StockFencedException}: a recoverer that was overtaken can do
 * nothing. Only coupons that are made ready take calls when the partition is open. Each call is
 * atomic and safe to repeat. Failures are {@link StockUnavailableException}s.
 */
public interface StockRecovery {

  /** The fence of the partition as it is now. */
  FenceState fence(Partition partition);

  /**
   * Closes the partition to every earlier epoch.
   *
   * @throws StockFencedException if the fence is at this epoch or a later one
   */
  void begin(Partition partition, Epoch epoch);

  /** What the ledger says of the users, before claims may ask; one without a mark is left out. */
  Map<UserId, LedgerMark> marks(StockAddress coupon, List<UserId> users);

  /** How many users the ledger knows. */
  long ledgerSize(StockAddress coupon);

  /** Makes the ledger say what the database knows, whatever it said before. */
  void putMarks(StockAddress coupon, Map<UserId, LedgerMark> marks);

  /** Makes the ledger forget users, whose claims are kept elsewhere. */
  void forget(StockAddress coupon, List<UserId> users);

  /**
   * Gives slots that nobody holds to users whom the ledger does not know.
   *
   * @return those of the claims whose user the ledger did not know, and knows now
   */
  List<SlotClaim> reserve(StockAddress coupon, List<SlotClaim> claims);

  /** Empties the set of free slots below the next one, and forgets which slots were ever freed. */
  void clearFree(StockAddress coupon);

  /**
   * Says how often slots were freed, so that their next holders' can be freed once more.
   *
   * @param generations the last one freed of each slot
   */
  void putFreed(StockAddress coupon, Map<Slot, Integer> generations);

  /** Adds slots below the next one that nobody holds. */
  void addFree(StockAddress coupon, List<Slot> slots);

  /**
   * Sets the coupon's terms and the next slot never given, and lets claims of it flow.
   *
   * @param next at least 1; total + 1 where none is left, or more where a row is above the total
   */
  void ready(StockAddress coupon, StockTerms terms, int next);

  /** Opens the partition in the epoch that {@link #begin} gave it. */
  void open(Partition partition, Epoch epoch);

  /**
   * How far the partition is cleared of archived coupons. Each {@link #begin} starts that anew.
   *
   * @throws StockFencedException unless the partition is open in the epoch
   */
  ArchiveClearing clearing(Partition partition, Epoch epoch);

  /**
   * Leaves nothing of these coupons, which were archived and removed before, whatever an older
   * state of the server has of them; and notes that clearing goes on behind the last of them.
   *
   * @param archived the next ones by id; none where all were cleared
   * @throws StockFencedException unless the partition is open in the epoch: a recovery may have
   *     such a coupon still before it, as a closed one
   */
  void clear(Partition partition, Epoch epoch, List<CouponId> archived);
}
