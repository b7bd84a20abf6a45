package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.RecordedRedemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponCursor;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The user coupons: the system of record. It never holds two user coupons of one user and coupon,
 * two live ones of one slot, or a slot outside the coupon's stock. Failures are {@link
 * DatabaseUnavailableException}s.
 */
public interface UserCouponRepository {

  /**
   * Writes a row for each claim that may have one, in one transaction that locks the epochs of
   * their partitions. The same transaction stores claims of another epoch, and those whose slot is
   * taken, as late claims, unless they were rejected before. Idempotent.
   *
   * <p>If several outcomes apply, a row of the user comes first, then an unknown coupon, then a
   * late epoch, then the slot: a late claim's slot is not final.
   *
   * <p>A row's issue time is its claim's acceptance time. If that is later than the database's
   * time, or earlier than the coupon was defined and opened, by more than {@link
   * io.firstcome.domain.clock.ClockEstimate#MAX_DIFFERENCE}, it is the nearest possible time.
   *
   * @param claims of any coupons, each pair of coupon and user at most once
   * @return an outcome for each claim, in the same order
   * @throws UnrecordableException if the database rejects the batch because of its content, such as
   *     an id or a code of another user coupon, or a partition that is not the coupon's
   * @throws DatabaseLockedException if another session holds a lock on a row that one of the claims
   *     needs; nothing is written
   */
  List<RecordOutcome> record(List<AcceptedClaim> claims);

  /** The user coupon as it was last recorded. */
  Optional<UserCoupon> find(CouponId couponId, UserId userId);

  /** Those of the coupons of which the user has a user coupon, as it was last recorded. */
  Map<CouponId, UserCoupon> findAll(UserId userId, Collection<CouponId> couponIds);

  /** The user coupons of those of the users that have one of the coupon, as last recorded. */
  Map<UserId, UserCoupon> findAll(CouponId couponId, Collection<UserId> userIds);

  /** The user coupon as it was last recorded. */
  Optional<UserCoupon> find(UserCouponId id);

  /** The user coupon as it was last recorded. */
  Optional<UserCoupon> find(CouponCode code);

  /**
   * User coupons of a user, newest first, as they were last recorded.
   *
   * @param state of the user coupons at the time {@code now}, by {@link UserCoupon#at}; null for
   *     any
   * @param after the position of the last one of the previous page, or null
   */
  List<UserCoupon> page(
      UserId owner,
      @Nullable UserCouponState state,
      Instant now,
      @Nullable UserCouponCursor after,
      int max);

  /**
   * User coupons of a user, as they were last recorded: the ones recorded as ISSUED or HELD, newest
   * first, and then the others, newest first.
   */
  List<UserCoupon> usableFirst(UserId owner, int max);

  /** The redemption of that id, whether or not it has ended. */
  Optional<RecordedRedemption> findRedemption(RedemptionId id);

  /**
   * Redemptions of a shop's order, whether or not they have ended, ordered by user coupon.
   *
   * @param max redemptions; an order has few
   */
  List<RecordedRedemption> redemptions(ShopId shop, OrderId order, int max);

  /**
   * Records a step as {@link #change(List)} does.
   *
   * @return false if another step came first, or there is no such user coupon; nothing happened
   */
  default boolean change(UserCouponChange change) {
    return !change(List.of(change)).isEmpty();
  }

  /**
   * Records steps of different user coupons in one transaction, each with the redemption that it
   * begins, continues or ends, and with its audit entry. A returned slot is free for another row
   * from then on.
   *
   * @return those whose step was recorded; where another step came first, or there is no such user
   *     coupon, nothing happened
   */
  Set<UserCouponId> change(List<UserCouponChange> changes);

  /**
   * User coupons that are recorded as issued or held, and are expired both at that time and by the
   * database's own clock: ordered by end of validity, slot and id.
   *
   * @return as they were last recorded
   */
  List<UserCoupon> overdue(Instant now, int max);

  /**
   * The number of user coupons of the coupon in each state at that time, by {@link UserCoupon#at}.
   *
   * @return a number for every state
   */
  Map<UserCouponState, Long> countByState(CouponId couponId, Instant now);

  /** Those of the users that have a user coupon of the coupon, in any state. */
  Set<UserId> owners(CouponId couponId, Collection<UserId> users);

  /**
   * Present and past owners of slots, in the order of {@link SlotOwner#BY_SLOT}. A row's position
   * in it never changes, so paging returns each row once, in one state.
   *
   * @param after the last one of the previous page, or null
   */
  List<SlotOwner> slotOwners(CouponId couponId, @Nullable SlotOwner after, int max);

  /** The number of users with more than one user coupon of the coupon, counted from the rows. */
  long duplicateUsers(CouponId couponId);
}
