package io.firstcome.application.claim;

import io.firstcome.application.claim.ClaimAnswer.RowState;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Reads the states of rows for repeated claims. Only a few are read at a time, since repeated
 * claims must not take the database connections that everything else needs; the others are answered
 * without a state.
 */
final class RowStates {

  private final UserCouponRepository userCoupons;
  private final InstantSource clock;
  private final Semaphore reads;

  RowStates(UserCouponRepository userCoupons, ClaimLimits limits, InstantSource clock) {
    this.userCoupons = userCoupons;
    this.clock = clock;
    this.reads = new Semaphore(limits.rowReads());
  }

  /** The state of the user's row now; empty if the user coupon was returned or revoked. */
  Optional<RowState> read(CouponId couponId, UserId user) {
    if (!reads.tryAcquire()) {
      return Optional.of(RowState.NOT_KNOWN);
    }
    try {
      var row = userCoupons.find(couponId, user);
      return row.isEmpty() ? Optional.of(RowState.ACCEPTED) : of(row.get().at(clock.instant()));
    } catch (DatabaseUnavailableException e) {
      return Optional.of(RowState.NOT_KNOWN);
    } finally {
      reads.release();
    }
  }

  /** The state; empty if the user coupon was returned or revoked. */
  static Optional<RowState> of(UserCoupon now) {
    return switch (now) {
      case UserCoupon.Issued _ -> Optional.of(RowState.ISSUED);
      case UserCoupon.Held _ -> Optional.of(RowState.HELD);
      case UserCoupon.Used _ -> Optional.of(RowState.USED);
      case UserCoupon.Expired _ -> Optional.of(RowState.EXPIRED);
      case UserCoupon.Returned _, UserCoupon.Revoked _ -> Optional.empty();
    };
  }
}
