package io.firstcome.domain.port;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponSection;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The defined coupons. Failures are {@link DatabaseUnavailableException}s. Lists skip and report
 * rows that are not valid coupons, such as after a manual change.
 */
public interface CouponRepository {

  /**
   * The time after {@link #noteFreeze}, by the clock of the database, from which the edit counts as
   * not completed.
   */
  Duration FREEZE_LIMIT = Duration.ofSeconds(5);

  /**
   * Adds the coupon if its id was never used, and its definition to the audit trail in the same
   * transaction. The id of a deleted draft is not used again: a change that an operator requires of
   * the revision of that draft must not change another coupon.
   *
   * @param actor who defines it, at the time {@code at}
   * @return whether it was added
   */
  boolean addIfAbsent(Coupon coupon, Actor actor, Instant at);

  /**
   * Updates status and definition of the coupon, if it still has the revision before the change.
   * The same transaction adds the change to the audit trail.
   *
   * @param change one that is possible also after the first claim
   * @param actor who changes it, at the time {@code at}
   * @return false if another change came first, or there is no such coupon; nothing happened
   */
  boolean change(CouponChange.Changed change, Actor actor, Instant at);

  /** The result of an edit that is possible only before the first claim. */
  enum EditOutcome {
    DONE,
    /** A claim of the coupon is stored; nothing happened. */
    CLAIMED,
    /** Another change came first, or there is no such coupon; nothing happened. */
    OVERTAKEN,
    /** A recovery has ended the freeze; nothing happened. */
    OTHER_EPOCH
  }

  /**
   * Notes that the stock of the coupon is about to be frozen. After {@link #FREEZE_LIMIT}, {@link
   * #unapplied} finds the coupon, until it is edited or a revision of it is noted as applied.
   * Before that, only a later revision that is noted as applied ends this.
   */
  void noteFreeze(CouponId couponId);

  /**
   * Like {@link #change}, if no claim of the coupon is stored, no ticket of its waiting room can
   * have been given, and its stock is frozen since the given epoch. If the rows are the stock, no
   * claim is accepted meanwhile, and the epoch is ignored.
   *
   * @param change {@linkplain CouponChange.Changed#needsNoClaims one} that needs this
   * @param actor who changes it, at the time {@code at}
   */
  EditOutcome editUnclaimed(CouponChange.Changed change, Epoch epoch, Actor actor, Instant at);

  /**
   * Deletes a draft, if it still has that revision. The same transaction adds that to the audit
   * trail.
   *
   * @param actor who deletes it, at the time {@code at}
   * @return false if another change came first, or there is no such draft; nothing happened
   */
  boolean delete(Coupon draft, Actor actor, Instant at);

  /**
   * Raises the revision of a coupon, so that its terms are newer than those of a stock that has a
   * revision which this database does not know. The same transaction adds that to the audit trail,
   * with the actor {@link Actor#RECOVERY}.
   *
   * @param before as it was read
   * @param revision later than that of {@code before}
   * @return false if another change came first, or there is no such coupon; nothing happened
   */
  boolean raiseRevision(Coupon before, int revision, Instant at);

  Optional<Coupon> find(CouponId couponId);

  /** The coupon with the times of its definition and last change. */
  Optional<StoredCoupon> findStored(CouponId couponId);

  /** Those of the coupons that exist, in no order. */
  List<Coupon> findAll(Collection<CouponId> couponIds);

  /**
   * Coupons, ordered by id.
   *
   * @param status of the coupons, or null for any
   * @param after the last coupon of the previous page, or null
   */
  List<StoredCoupon> page(@Nullable CouponStatus status, @Nullable CouponId after, int max);

  /**
   * Coupons of a section, in its order, and by id where times are equal.
   *
   * @param text that the id or the name contains, in any case; empty for all
   * @param skipped coupons of earlier pages
   */
  List<StoredCoupon> ofSection(
      CouponSection section, Instant now, String text, int skipped, int max);

  /**
   * Published coupons that are not archived, ordered by id, without those of rehearsals.
   *
   * @param after the last coupon of the previous page, or null
   */
  List<CouponId> listed(@Nullable CouponId after, int max);

  /**
   * Active coupons whose window is open at that time, ordered by id.
   *
   * @param after the last coupon of the previous page, or null
   */
  List<Coupon> open(Instant now, @Nullable CouponId after, int max);

  /**
   * Active and paused coupons with a waiting room that users can join at that time, ordered by id.
   *
   * @param around how much earlier and later they are included
   * @param after the last coupon of the previous page, or null
   */
  List<Coupon> withWaitingRooms(Instant now, Duration around, @Nullable CouponId after, int max);

  /**
   * Published coupons with a waiting room that are not archived, ordered by id.
   *
   * @param after the last coupon of the previous page, or null
   */
  List<Coupon> withWaitingRooms(@Nullable CouponId after, int max);

  /**
   * Published coupons that are due to be archived by themselves at that time, and by the database's
   * own clock, ordered by id.
   *
   * @param after the last coupon of the previous page, or null
   */
  List<Coupon> dueForArchive(Instant now, @Nullable CouponId after, int max);

  /** The code key versions of the coupons that are not archived. */
  Set<Integer> codeKeyVersions();

  /**
   * The partition's coupons with stock in Redis: active ones first, then by id. Drafts and archived
   * ones have no stock and are left out.
   */
  List<Coupon> inPartition(Partition partition);

  /**
   * Archived coupons of the partition whose removal from Redis is noted, ordered by id.
   *
   * @param after the last coupon of the previous page, or null
   */
  List<CouponId> removedInPartition(Partition partition, @Nullable CouponId after, int max);

  /**
   * Coupons that may have stock in Redis now or later, in this partition or one with a higher
   * number: those that are not archived, and archived ones whose removal is not noted. The highest
   * partition comes first, then by id.
   */
  List<Coupon> withStockFrom(Partition first, int max);

  /**
   * Published coupons whose latest revision is not noted as applied to the stock backend, or whose
   * stock may be frozen since an edit that was not completed, ordered by id.
   *
   * @param after the last coupon of the previous page, or null
   */
  List<Coupon> unapplied(@Nullable CouponId after, int max);

  /**
   * Those of the coupons whose user coupons cannot be recorded now, because another session has
   * locked the row of their partition. Does not wait for the lock.
   *
   * @param couponIds of coupons that exist
   */
  Set<CouponId> lockedAmong(Set<CouponId> couponIds);

  /**
   * Whether this revision of the coupon, or a later one, is noted as applied to the stock backend.
   */
  boolean isApplied(CouponId couponId, int revision);

  /**
   * Notes that this revision of the coupon is applied to the stock backend. No effect if the coupon
   * does not have that revision, or a later one is noted.
   */
  void noteApplied(CouponId couponId, int revision);
}
