package io.firstcome.domain.observation;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.List;

/** Observations of claims before they are recorded. */
public sealed interface ClaimObservation extends Observation {

  /**
   * A call with claims of one coupon ended. The lists are those of the call, and no copies.
   *
   * @param users whose claims it had
   * @param outcomes of each claim, in the same order; empty if they are not known
   * @param answered whether the stock answered it
   */
  record CallEnded(
      CouponId couponId,
      List<UserId> users,
      List<ClaimOutcome> outcomes,
      Duration took,
      boolean answered)
      implements ClaimObservation {}

  /**
   * A call in which users join the waiting room of one coupon ended.
   *
   * @param answered whether the stock answered it
   */
  record JoinCallEnded(CouponId couponId, int users, Duration took, boolean answered)
      implements ClaimObservation {}

  /**
   * Work on a coupon was left to other instances, because this one does not have the code key of
   * that version. It had no effect here.
   */
  record CodeKeyMissing(CouponId couponId, int version) implements ClaimObservation {}
}
