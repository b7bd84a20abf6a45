package io.firstcome.application.rehearsal;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.rehearsal.CrowdResult;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import java.util.function.IntPredicate;

/** Sends the claims of the synthetic users of a rehearsal over HTTP. */
public interface Crowd {

  /** Why it cannot send claims in this deployment, as a sentence; empty if it can. */
  String obstacle();

  /**
   * Sends one claim for each user, and returns when all are answered or have failed.
   *
   * @param cloneId the coupon that is claimed
   * @param goesOn is given the number of answers several times a second; false ends the crowd early
   */
  CrowdResult claim(RehearsalPlan plan, CouponId cloneId, IntPredicate goesOn)
      throws InterruptedException;
}
