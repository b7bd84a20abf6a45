package io.firstcome.domain.event;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.OrderId;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Something that has happened, for other systems. It is written with the row that it tells of, and
 * told at least once; a user coupon's events are told in the order of their revisions.
 *
 * <p>It says who has what, and never the code: whoever reads events could use the coupon.
 */
public sealed interface CouponEvent {

  /** Names the event for good: told again, it has the same id. */
  String id();

  CouponId couponId();

  /** When it happened, to the millisecond. */
  Instant at();

  /**
   * Which user coupon an event tells of.
   *
   * @param revision that the user coupon came to with the event
   */
  record Subject(UserCouponId userCouponId, int revision, UserId userId) {

    static Subject of(UserCoupon userCoupon) {
      return new Subject(userCoupon.id(), userCoupon.revision(), userCoupon.userId());
    }
  }

  /** What happened to a user coupon. Holds and their release are not told. */
  sealed interface OfUserCoupon extends CouponEvent {

    Subject subject();

    @Override
    default String id() {
      return subject().userCouponId() + "/" + subject().revision();
    }

    @Override
    default CouponId couponId() {
      return subject().userCouponId().couponId();
    }
  }

  /** A step of a user coupon after it was issued. */
  sealed interface OfStep extends OfUserCoupon {}

  /**
   * It belongs to the user from now on.
   *
   * @param at when the stock backend accepted the claim
   */
  record Issued(Subject subject, Slot slot, Instant expiresAt, Instant at)
      implements OfUserCoupon {}

  /** It was used on an order. */
  record Used(Subject subject, Redemption redemption, Instant at) implements OfStep {}

  /** The order that it was used on is cancelled, and it can be used again. */
  record Restored(Subject subject, OrderId orderId, Instant at) implements OfStep {}

  /** Its validity ended, or the order that it was used on was cancelled after that. */
  record Expired(Subject subject, Instant at) implements OfStep {}

  /**
   * Its owner gave it back.
   *
   * @param slotWentBack whether others can claim its slot
   */
  record Returned(Subject subject, boolean slotWentBack, Instant at) implements OfStep {}

  /**
   * An operator took it away.
   *
   * @param slotWentBack whether others can claim its slot
   */
  record Revoked(Subject subject, String reason, boolean slotWentBack, Instant at)
      implements OfStep {}

  /**
   * The last piece was issued. Pieces that come back later, or are added, do not take it back;
   * added ones can sell out again.
   *
   * @param totalQuantity pieces when it sold out
   * @param at when the stock backend accepted the last claim
   */
  record SoldOut(CouponId couponId, int totalQuantity, Instant at) implements CouponEvent {

    @Override
    public String id() {
      return couponId + "/" + totalQuantity;
    }
  }

  /** That the row was written. */
  static Issued of(UserCoupon.Issued row) {
    return new Issued(
        Subject.of(row), row.slot(), row.ownership().expiresAt(), row.ownership().issuedAt());
  }

  /** That the step was taken, if it is one that others are told of. */
  static Optional<OfStep> of(UserCouponChange change) {
    var subject = Subject.of(change.after());
    // Stores keep milliseconds.
    var at = change.at().truncatedTo(ChronoUnit.MILLIS);
    return switch (change.after()) {
      case UserCoupon.Held _ -> Optional.empty();
      case UserCoupon.Issued _ ->
          change.before() instanceof UserCoupon.Used used
              ? Optional.of(new Restored(subject, used.redemption().orderId(), at))
              : Optional.empty();
      case UserCoupon.Used used -> Optional.of(new Used(subject, used.redemption(), at));
      case UserCoupon.Expired _ -> Optional.of(new Expired(subject, at));
      case UserCoupon.Returned returned ->
          Optional.of(new Returned(subject, returned.slotWentBack(), at));
      case UserCoupon.Revoked revoked ->
          Optional.of(new Revoked(subject, revoked.reason(), revoked.slotWentBack(), at));
    };
  }
}
