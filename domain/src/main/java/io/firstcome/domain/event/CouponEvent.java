package io.firstcome.domain.event;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * A change of a coupon or a user coupon, for other systems. It is written in the transaction of its
 * row, and published at least once; a user coupon's events are published in the order of their
 * revisions.
 *
 * <p>It contains the owner and never the code: a consumer with the code could use the coupon.
 */
public sealed interface CouponEvent {

  /** Identifies the event: published again, it has the same id. */
  String id();

  CouponId couponId();

  /** When it happened, to the millisecond. */
  Instant at();

  /**
   * The user coupon of an event.
   *
   * @param revision of the user coupon after the event
   */
  record Subject(UserCouponId userCouponId, int revision, UserId userId) {

    static Subject of(UserCoupon userCoupon) {
      return new Subject(userCoupon.id(), userCoupon.revision(), userCoupon.userId());
    }
  }

  /** A change of a user coupon. */
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
   * It was issued to the user.
   *
   * @param at when the stock backend accepted the claim
   */
  record Issued(Subject subject, Slot slot, Instant expiresAt, Instant at)
      implements OfUserCoupon {}

  /**
   * It was held for an order.
   *
   * @param until the first instant after the hold, which ends then without a further event
   */
  record Held(Subject subject, Redemption redemption, Instant until, Instant at)
      implements OfStep {}

  /** The hold for an order was released, or had ended before, and it can be used again. */
  record Released(Subject subject, OrderId orderId, Instant at) implements OfStep {}

  /** It was used on an order. */
  record Used(Subject subject, Redemption redemption, Instant at) implements OfStep {}

  /** The order that it was used on is cancelled, and it can be used again. */
  record Restored(Subject subject, OrderId orderId, Instant at) implements OfStep {}

  /** Its validity ended, or the order that it was used on was cancelled after that. */
  record Expired(Subject subject, Instant at) implements OfStep {}

  /**
   * Its owner returned it.
   *
   * @param slotWentBack whether others can claim its slot
   */
  record Returned(Subject subject, boolean slotWentBack, Instant at) implements OfStep {}

  /**
   * An operator revoked it.
   *
   * @param slotWentBack whether others can claim its slot
   */
  record Revoked(Subject subject, String reason, boolean slotWentBack, Instant at)
      implements OfStep {}

  /** A change of a coupon. */
  sealed interface OfCoupon extends CouponEvent {}

  /**
   * A share of the slots was issued. A share that is reached by the last slot has no event: {@link
   * SoldOut} says it.
   *
   * @param percent one of {@link #PERCENTS}
   * @param totalQuantity when it was reached
   * @param at when the stock backend accepted the claim
   */
  record ShareIssued(CouponId couponId, int percent, int totalQuantity, Instant at)
      implements OfCoupon {

    /** The shares that are published. */
    public static final List<Integer> PERCENTS = List.of(80, 95);

    @Override
    public String id() {
      return "%s/%d/%d%%".formatted(couponId, totalQuantity, percent);
    }

    /** The slot with which the share of that many slots is issued. */
    static int slot(int percent, int totalQuantity) {
      return Math.toIntExact(Math.ceilDiv((long) totalQuantity * percent, 100));
    }
  }

  /**
   * The last slot was issued. Slots that are returned or added later do not undo this event; added
   * ones can sell out again.
   *
   * @param totalQuantity when it sold out
   * @param at when the stock backend accepted the last claim
   */
  record SoldOut(CouponId couponId, int totalQuantity, Instant at) implements OfCoupon {

    @Override
    public String id() {
      return couponId + "/" + totalQuantity;
    }
  }

  /**
   * A slot of a coupon that was sold out is released in the stock, and somebody else can claim it.
   *
   * @param generation of the user coupon that had it
   * @param at when the release was noted
   */
  record ReturnedToSale(CouponId couponId, Slot slot, int generation, Instant at)
      implements OfCoupon {

    @Override
    public String id() {
      return "%s/slot-%s/%d".formatted(couponId, slot, generation);
    }
  }

  /** The event of a written row. */
  static Issued of(UserCoupon.Issued row) {
    return new Issued(
        Subject.of(row), row.slot(), row.ownership().expiresAt(), row.ownership().issuedAt());
  }

  /**
   * The events of the coupon when a slot is issued for the first time.
   *
   * @param totalQuantity of the coupon at that time
   * @param at when the stock backend accepted the claim
   */
  static List<OfCoupon> ofFirstIssue(CouponId couponId, Slot slot, int totalQuantity, Instant at) {
    if (slot.number() == totalQuantity) {
      return List.of(new SoldOut(couponId, totalQuantity, at));
    }
    return ShareIssued.PERCENTS.stream()
        .filter(percent -> slot.number() == ShareIssued.slot(percent, totalQuantity))
        .<OfCoupon>map(percent -> new ShareIssued(couponId, percent, totalQuantity, at))
        .toList();
  }

  /** The event of a recorded step. */
  static OfStep of(UserCouponChange change) {
    var subject = Subject.of(change.after());
    // Stored times are in milliseconds.
    var at = change.at().truncatedTo(ChronoUnit.MILLIS);
    return switch (change.after()) {
      case UserCoupon.Held held -> new Held(subject, held.redemption(), held.until(), at);
      case UserCoupon.Issued _ -> {
        var orderId = change.redemption().map(Redemption::orderId).orElseThrow();
        yield change.before() instanceof UserCoupon.Used
            ? new Restored(subject, orderId, at)
            : new Released(subject, orderId, at);
      }
      case UserCoupon.Used used -> new Used(subject, used.redemption(), at);
      case UserCoupon.Expired _ -> new Expired(subject, at);
      case UserCoupon.Returned returned -> new Returned(subject, returned.slotWentBack(), at);
      case UserCoupon.Revoked revoked ->
          new Revoked(subject, revoked.reason(), revoked.slotWentBack(), at);
    };
  }
}
