package io.firstcome.bootstrap.trace;

import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import jakarta.servlet.http.HttpServletRequest;

/** Receives the requests of claims. */
public interface ClaimTraces {

  /** Without traces. */
  ClaimTraces NONE = (_, _, _, _, _) -> {};

  /**
   * The answer to a claim is known.
   *
   * @param outcome the name of the answer in the metrics
   */
  void answered(
      HttpServletRequest request,
      CouponId couponId,
      UserId user,
      ClaimAnswer answer,
      String outcome);
}
