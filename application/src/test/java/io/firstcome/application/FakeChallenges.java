package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.ChallengeVerifier;

/** Challenges that are solved by repeating them. */
public final class FakeChallenges implements ChallengeVerifier {

  @Override
  public String challenge(Coupon coupon, UserId user) {
    return user + " for " + coupon.id();
  }

  @Override
  public boolean isSolved(Coupon coupon, UserId user, String solution) {
    return solution.equals(challenge(coupon, user));
  }
}
