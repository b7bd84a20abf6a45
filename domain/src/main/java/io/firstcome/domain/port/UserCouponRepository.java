package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.usercoupon.UserCouponPlace;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The user coupons: the system of record. It can never hold two of one user and coupon, two live
 * ones of one slot, or a slot outside the coupon's stock. Failures are {@link
 * DatabaseUnavailableException}s.
 */
public interface UserCouponRepository {

  /**
   * Writes a row for each claim that may have one, in one transaction that holds the epochs of
   * their partitions. Late claims, and those whose slot is taken, are kept with the late claims by
   * the same transaction, unless they were rejected before. Repeating it changes nothing.
   *
   * <p>Where several outcomes fit, a row of the user comes first, then an unknown coupon, then a
   * late epoch, then the slot: a late claim's slot is only a wish.
   *
   * <p>A row is issued when its claim was accepted. Where that is later than the database's time,
   * or earlier than the coupon was defined and opened, by more than {@link
   * io.firstcome.domain.clock.ClockEstimate#MAX_DIFFERENCE}, it is issued at the nearest time that
   * is possible.
   *
   * @param claims of any coupons, each pair of coupon and user at most once
   * @return an outcome for each claim, in the same order
   * @throws UnrecordableException if the database refuses the batch for what it holds, such as an
   *     id or a code of another user coupon, or a partition that is not the coupon's
   * @throws DatabaseLockedException if somebody else holds a lock on a row that one of the claims
   *     needs; nothing is written
   */
  List<RecordOutcome> record(List<AcceptedClaim> claims);

  /** As it was last recorded. */
  Optional<UserCoupon> find(CouponId couponId, UserId userId);

  /** As it was last recorded. */
  Optional<UserCoupon> find(UserCouponId id);

  /** As it was last recorded. */
  Optional<UserCoupon> find(CouponCode code);

  /**
   * Those of a user, newest first, as they were last recorded.
   *
   * @param state that they have at the time {@code now}, as {@link UserCoupon#at} says; null for
   *     any
   * @param after where the last one of the page before is, or null
   */
  List<UserCoupon> page(
      UserId owner,
      @Nullable UserCouponState state,
      Instant now,
      @Nullable UserCouponPlace after,
      int max);

  /**
   * Those of a user, as they were last recorded: the ones recorded as ISSUED or HELD, newest first,
   * and then the others, newest first.
   */
  List<UserCoupon> usableFirst(UserId owner, int max);

  /** What a user coupon is or was taken for: a redemption stays known when it has ended. */
  Optional<Redemption> findRedemption(RedemptionId id);

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
   * makes, goes on with or ends, and with its entry in the audit. A slot that goes back is free for
   * another row from then on.
   *
   * @return those whose step was recorded; where another step came first, or there is no such user
   *     coupon, nothing happened
   */
  Set<UserCouponId> change(List<UserCouponChange> changes);

  /**
   * User coupons that are recorded as issued or held, and are expired both at that time and by the
   * database's own clock: those whose validity ended first, and of one time by slot and id.
   *
   * @return as they were last recorded
   */
  List<UserCoupon> overdue(Instant now, int max);

  /**
   * How many user coupons of the coupon have which state at that time, as {@link UserCoupon#at}
   * says.
   *
   * @return a number for every state
   */
  Map<UserCouponState, Long> countByState(CouponId couponId, Instant now);

  /** Those of the users that have a user coupon of the coupon, in whatever state. */
  Set<UserId> owners(CouponId couponId, Collection<UserId> users);

  /**
   * Who has or had which slot, in the order of {@link SlotOwner#BY_SLOT}. Nobody changes their
   * place in it, so reading page after page meets each row once, in one state.
   *
   * @param after the last one of the page before, or null
   */
  List<SlotOwner> slotOwners(CouponId couponId, @Nullable SlotOwner after, int max);

  /** How many users have more than one user coupon of the coupon, counted and not assumed. */
  long duplicateUsers(CouponId couponId);
}
