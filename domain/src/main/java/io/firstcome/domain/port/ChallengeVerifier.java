package io.firstcome.domain.port;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.UserId;

/**
 * Challenges that users pass before they join a waiting room, so that one program cannot join it as
 * many users for nothing. A solution is valid for the user and the coupon of its challenge, so it
 * need not be remembered as used: whoever joins twice keeps the same ticket.
 */
public interface ChallengeVerifier {

  /**
   * A new challenge for a user, as a JSON document that the client of this kind of challenge
   * expects.
   *
   * @throws io.firstcome.domain.usercoupon.MissingCodeKeyException if the coupon's key is not
   *     installed
   */
  String challenge(Coupon coupon, UserId user);

  /**
   * Whether this is the solution of an unexpired challenge of that coupon and user.
   *
   * @param solution any text
   * @throws io.firstcome.domain.usercoupon.MissingCodeKeyException if the coupon's key is not
   *     installed
   */
  boolean isSolved(Coupon coupon, UserId user, String solution);

  /** Of a program whose coupons have no waiting rooms: it has no challenges. */
  static ChallengeVerifier none() {
    return new ChallengeVerifier() {
      @Override
      public String challenge(Coupon coupon, UserId user) {
        throw new UnsupportedOperationException("no challenges");
      }

      @Override
      public boolean isSolved(Coupon coupon, UserId user, String solution) {
        return false;
      }
    };
  }
}
