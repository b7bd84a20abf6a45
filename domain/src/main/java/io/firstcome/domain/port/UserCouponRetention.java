package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.retention.RemovalStep;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of archived coupons, which are removed when their retention is over: user coupons with
 * their redemptions and audit entries, and rejected claims. Failures are {@link
 * DatabaseUnavailableException}s.
 */
public interface UserCouponRetention {

  /**
   * Archived coupons with rows whose retention is over, ordered by id.
   *
   * @param endedBy when, at the latest, they were archived and the last validity of a user coupon
   *     ended
   * @param after the last one of the previous page, or null
   */
  List<CouponId> due(Instant endedBy, @Nullable CouponId after, int max);

  /**
   * Begins the removal of the coupon's rows, if it is due, or has begun before. From then on the
   * coupon is unknown to {@link UserCouponRepository#record}, so that a claim that is delivered
   * again cannot get a second row.
   *
   * @return false, without effect, if the coupon is not due, or something still needs its rows: an
   *     event that is not published, a late claim, a dead letter, a slot that is not released, a
   *     user coupon whose expiry is not recorded, or the limit of its campaign, of which another
   *     coupon is not archived
   */
  boolean begin(CouponId couponId, Instant endedBy);

  /**
   * Exports and then removes the next rows of a coupon whose removal has begun, in one transaction.
   * If exporting fails, the rows stay and its exception is thrown; after a crash in between they
   * are exported again. Only one caller removes rows of a coupon at a time.
   *
   * @param after the last user coupon of the previous step, or null for the first step
   * @param max rows of the step
   */
  RemovalStep removeNext(
      CouponId couponId, @Nullable SlotOwner after, int max, RetentionExport export);
}
