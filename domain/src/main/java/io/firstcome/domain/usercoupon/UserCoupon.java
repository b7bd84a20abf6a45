package io.firstcome.domain.usercoupon;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.TextLine;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A slot that belongs to a user, in the database. One type for each state, with the steps that it
 * allows; other steps do not compile.
 *
 * <pre>
 *            hold               confirm
 *   ISSUED ────────▶ HELD ──────────────▶ USED
 *     │ ▲ ◀──────────┘ release, time        │
 *     │ └───────────────────────────────────┘ undo
 *     ├──▶ EXPIRED    by time; also from HELD and USED when they end after the validity
 *     ├──▶ RETURNED   by its owner
 *     └──▶ REVOKED    by an operator; also from HELD
 * </pre>
 *
 * <p>A stored state is the last recorded one; {@link #at} applies the time that has passed since.
 * Every step starts from its result.
 */
public sealed interface UserCoupon {

  Ownership ownership();

  /** Counts the recorded changes, from 1. */
  int revision();

  /**
   * The user coupon at that time: a hold ends at its limit, and a usable one expires with its
   * validity. This records nothing, so the revision is the recorded one.
   */
  default UserCoupon at(Instant now) {
    return this;
  }

  default UserCouponState state() {
    return switch (this) {
      case Issued _ -> UserCouponState.ISSUED;
      case Held _ -> UserCouponState.HELD;
      case Used _ -> UserCouponState.USED;
      case Expired _ -> UserCouponState.EXPIRED;
      case Returned _ -> UserCouponState.RETURNED;
      case Revoked _ -> UserCouponState.REVOKED;
    };
  }

  /** The redemption that it is held for or was used on, or null. */
  default @Nullable Redemption currentRedemption() {
    return switch (this) {
      case Held held -> held.redemption();
      case Used used -> used.redemption();
      case Issued _, Expired _, Returned _, Revoked _ -> null;
    };
  }

  default UserCouponId id() {
    return identity().id();
  }

  default UserCouponIdentity identity() {
    return ownership().identity();
  }

  default CouponId couponId() {
    return id().couponId();
  }

  default UserId userId() {
    return ownership().userId();
  }

  default Slot slot() {
    return ownership().slot();
  }

  /** When the stock backend accepted the claim. */
  default Instant issuedAt() {
    return ownership().issuedAt();
  }

  /**
   * The user coupon as returned, for a recovery that finds that its slot is back in stock and the
   * record of that is lost.
   */
  default Returned foundReturned(Instant now) {
    return new Returned(ownership(), revision() + 1, now, true);
  }

  /** Whether its slot went back to stock, so that others can claim it. */
  default boolean slotWentBack() {
    return false;
  }

  private static boolean isOver(Ownership ownership, Instant now) {
    return !now.isBefore(ownership.expiresAt());
  }

  private static UserCoupon free(Ownership ownership, int revision, Instant now) {
    return isOver(ownership, now)
        ? new Expired(ownership, revision)
        : new Issued(ownership, revision);
  }

  /** It can be used. */
  record Issued(Ownership ownership, int revision) implements UserCoupon {

    /** The number of steps after which a user coupon cannot be held or used any more. */
    public static final int MAX_STEPS = 1_000;

    /**
     * Whether the number of its steps allows that it is held or used again. This bounds what one
     * customer can make the service store: a row for each order, and audit entries. A customer who
     * tries many orders causes about a hundred steps.
     */
    public boolean canBeTaken() {
      return revision <= MAX_STEPS;
    }

    /**
     * The user coupon of a claim whose row is written.
     *
     * @param generation counts the holders of the slot, from 1
     * @param termsRevision the earliest revision of the coupon that has these terms
     */
    public static Issued of(
        AcceptedClaim claim, Validity validity, int generation, int termsRevision) {
      var ownership =
          new Ownership(
              claim.identity(),
              claim.userId(),
              claim.slot(),
              generation,
              claim.acceptedAt(),
              validity.endsAt(claim.acceptedAt()),
              termsRevision);
      return new Issued(ownership, 1);
    }

    @Override
    public UserCoupon at(Instant now) {
      return free(ownership, revision, now);
    }

    /**
     * Holds it for an order.
     *
     * @param until the first instant after the hold; it may be after the end of the validity, as
     *     the order came before that
     */
    public Held hold(Redemption redemption, Instant until) {
      return new Held(ownership, revision + 1, redemption, until);
    }

    public Used use(Redemption redemption, Instant now) {
      return new Used(ownership, revision + 1, redemption, now);
    }

    /**
     * The owner returns it.
     *
     * @param slotGoesBack whether others can claim its slot
     */
    public Returned giveBack(Instant now, boolean slotGoesBack) {
      return new Returned(ownership, revision + 1, now, slotGoesBack);
    }

    /** See {@link Held#revoke}. */
    public Revoked revoke(String reason, Instant now, boolean slotGoesBack) {
      return new Revoked(ownership, revision + 1, reason, now, slotGoesBack);
    }

    /** Records that its validity is over. */
    public Expired expire() {
      return new Expired(ownership, revision + 1);
    }
  }

  /**
   * It is held for an order, and not usable for other orders.
   *
   * @param until the first instant after the hold
   */
  record Held(Ownership ownership, int revision, Redemption redemption, Instant until)
      implements UserCoupon {

    @Override
    public UserCoupon at(Instant now) {
      return now.isBefore(until) ? this : free(ownership, revision, now);
    }

    public Used confirm(Instant now) {
      return use(redemption, now);
    }

    /** Uses it on the same order, with the amount of the shop that takes the redemption over. */
    public Used use(Redemption ofShop, Instant now) {
      return new Used(ownership, revision + 1, ofShop, now);
    }

    /** Holds it for the same order, with the amount of the shop that takes the redemption over. */
    public Held hold(Redemption ofShop, Instant until) {
      return new Held(ownership, revision + 1, ofShop, until);
    }

    /** Ends the hold: the user coupon is as it would be without it. */
    public UserCoupon release(Instant now) {
      return free(ownership, revision + 1, now);
    }

    /**
     * An operator revokes it.
     *
     * @param slotGoesBack whether others can claim its slot
     */
    public Revoked revoke(String reason, Instant now, boolean slotGoesBack) {
      return new Revoked(ownership, revision + 1, reason, now, slotGoesBack);
    }
  }

  /** It was used on an order. */
  record Used(Ownership ownership, int revision, Redemption redemption, Instant usedAt)
      implements UserCoupon {

    /** The order is cancelled: it can be used again, unless its validity is over. */
    public UserCoupon undo(Instant now) {
      return free(ownership, revision + 1, now);
    }
  }

  /** Its validity ended before it was used. */
  record Expired(Ownership ownership, int revision) implements UserCoupon {}

  /** Its owner returned it. */
  record Returned(Ownership ownership, int revision, Instant returnedAt, boolean slotWentBack)
      implements UserCoupon {}

  /** An operator revoked it. */
  record Revoked(
      Ownership ownership, int revision, String reason, Instant revokedAt, boolean slotWentBack)
      implements UserCoupon {

    private static final int MAX_REASON_LENGTH = 500;

    public Revoked {
      requireReason(reason);
    }

    /**
     * Checks a reason and returns it.
     *
     * @throws IllegalArgumentException if it is not one line of 1 to 500 characters
     */
    public static String requireReason(String reason) {
      return TextLine.require("reason", reason, MAX_REASON_LENGTH);
    }
  }
}
