package io.firstcome.domain.port;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.usercoupon.Actor;
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
   * Adds the coupon if its id is unused, and its definition to the audit trail in the same
   * transaction.
   *
   * @param actor who defines it, at the time {@code at}
   * @return whether it was added
   */
  boolean addIfAbsent(Coupon coupon, Actor actor, Instant at);

  /**
   * Updates status and quantity of the coupon, if it still has the revision before the change. The
   * same transaction adds the change to the audit trail.
   *
   * @param actor who changes it, at the time {@code at}
   * @return false if another change came first, or there is no such coupon; nothing happened
   */
  boolean change(CouponChange.Changed change, Actor actor, Instant at);

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

  /** Those of the coupons that exist, in no order. */
  List<Coupon> findAll(Collection<CouponId> couponIds);

  /**
   * Coupons, ordered by id.
   *
   * @param status of the coupons, or null for any
   * @param after the last coupon of the previous page, or null
   */
  List<Coupon> page(@Nullable CouponStatus status, @Nullable CouponId after, int max);

  /** The code key versions of the coupons that are not archived. */
  Set<Integer> codeKeyVersions();

  /**
   * The partition's coupons with stock in Redis: active ones first, then by id. Archived ones have
   * no stock and are left out.
   */
  List<Coupon> inPartition(Partition partition);

  /**
   * Archived coupons of the partition whose removal from Redis is noted, ordered by id.
   *
   * @param after the last coupon of the previous page, or null
   */
  List<CouponId> removedInPartition(Partition partition, @Nullable CouponId after, int max);

  /**
   * Coupons that may have stock in Redis, in this partition or one with a higher number: those that
   * are not archived, and archived ones whose removal is not noted. The highest partition comes
   * first, then by id.
   */
  List<Coupon> withStockFrom(Partition first, int max);

  /**
   * Coupons whose latest revision is not noted as applied to the stock backend, ordered by id.
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
