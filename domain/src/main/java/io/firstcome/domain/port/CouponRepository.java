package io.firstcome.domain.port;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The coupons that are defined. Failures are {@link DatabaseUnavailableException}s. Lists leave
 * out, and report, what somebody has made of a row that is no coupon any more.
 */
public interface CouponRepository {

  /**
   * Adds the coupon if there is none of its id, and in the same transaction that it was defined to
   * the audit.
   *
   * @param actor who defines it, at that time
   * @return whether it was added
   */
  boolean addIfAbsent(Coupon coupon, Actor actor, Instant at);

  /**
   * Replaces the coupon of the revision before by the changed one, in what an operator can change
   * of it: status and quantity. The same transaction adds the change to the audit.
   *
   * @param actor who changes it, at that time
   * @return false if another change came first, or there is no such coupon; nothing happened
   */
  boolean change(CouponChange.Changed change, Actor actor, Instant at);

  /**
   * Replaces the revision of a coupon by a later one, so that its terms count as newer than those
   * of a stock that has a revision which this database does not know. The same transaction adds
   * that to the audit, as done by {@link Actor#RECOVERY}.
   *
   * @param before as it was read
   * @param revision later than that of {@code before}
   * @return false if another change came first, or there is no such coupon; nothing happened
   */
  boolean raiseRevision(Coupon before, int revision, Instant at);

  Optional<Coupon> find(CouponId couponId);

  /**
   * Coupons by id.
   *
   * @param status that they have, or null for any
   * @param after the last coupon of the page before, or null
   */
  List<Coupon> page(@Nullable CouponStatus status, @Nullable CouponId after, int max);

  /** The code key versions of the coupons that are not archived. */
  Set<Integer> codeKeyVersions();

  /**
   * The coupons whose stock Redis has in the partition: active ones first, then by id. Archived
   * ones have no stock and are not among them.
   */
  List<Coupon> inPartition(Partition partition);

  /**
   * Archived coupons of the partition that Redis is known to have removed, by id.
   *
   * @param after the last coupon of the page before, or null
   */
  List<CouponId> removedInPartition(Partition partition, @Nullable CouponId after, int max);

  /**
   * Coupons of which Redis may have stock, in this partition or one with a higher number: those
   * that are not archived, and archived ones that it is not known to have removed. The highest
   * partition comes first, then by id.
   */
  List<Coupon> withStockFrom(Partition first, int max);

  /**
   * Coupons whose latest revision the stock backend is not known to have, by id.
   *
   * @param after the last coupon of the page before, or null
   */
  List<Coupon> notYetInStock(@Nullable CouponId after, int max);

  /**
   * Those of the coupons whose rows, or whose partitions' rows, somebody else has locked, such that
   * no user coupon of them can be recorded now. It does not wait for these locks.
   *
   * @param couponIds of coupons that exist
   */
  Set<CouponId> lockedAmong(Set<CouponId> couponIds);

  /** Whether the stock backend is known to have this revision of the coupon, or a later one. */
  boolean isInStock(CouponId couponId, int revision);

  /**
   * Remembers that the stock backend has this revision of the coupon. One that the coupon does not
   * have, or one older than what is remembered, changes nothing.
   */
  void nowInStock(CouponId couponId, int revision);
}
