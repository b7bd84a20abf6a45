package io.firstcome.application;

import io.firstcome.application.claim.ClaimLimits;
import io.firstcome.application.event.EventLimits;
import io.firstcome.application.reconciliation.ComparisonLimits;
import io.firstcome.application.recording.RecordingLimits;
import io.firstcome.application.recovery.RecoveryLimits;
import io.firstcome.application.retention.RetentionLimits;
import io.firstcome.application.soldout.SoldOutLimits;
import io.firstcome.application.usercoupon.UserCouponLimits;
import io.firstcome.application.waitingroom.RoomLimits;

/** The limits of this module that an operator can change, by subject. */
public record ApplicationLimits(
    ClaimLimits claims,
    SoldOutLimits soldOut,
    RoomLimits rooms,
    RecordingLimits recording,
    RecoveryLimits recovery,
    ComparisonLimits comparison,
    UserCouponLimits userCoupons,
    EventLimits events,
    RetentionLimits retention) {

  /** Copies the limits with others of recording. */
  public ApplicationLimits withRecording(RecordingLimits others) {
    return new ApplicationLimits(
        claims, soldOut, rooms, others, recovery, comparison, userCoupons, events, retention);
  }

  /** The values for production. */
  public static ApplicationLimits defaults() {
    return new ApplicationLimits(
        ClaimLimits.defaults(),
        SoldOutLimits.defaults(),
        RoomLimits.defaults(),
        RecordingLimits.defaults(),
        RecoveryLimits.defaults(),
        ComparisonLimits.defaults(),
        UserCouponLimits.defaults(),
        EventLimits.defaults(),
        RetentionLimits.defaults());
  }
}
