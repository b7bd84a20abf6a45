package io.firstcome.application.waitingroom;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.ChallengeVerifier;
import io.firstcome.domain.usercoupon.CodeKeys;

/** A customer gets a challenge, with whose solution the customer joins a waiting room. */
public final class ReadChallenge {

  private final CouponCatalog catalog;
  private final ChallengeVerifier challenges;
  private final CodeKeys codeKeys;

  public ReadChallenge(CouponCatalog catalog, ChallengeVerifier challenges, CodeKeys codeKeys) {
    this.catalog = catalog;
    this.challenges = challenges;
    this.codeKeys = codeKeys;
  }

  /** The answer to a user who asks for a challenge. */
  public sealed interface Answer {

    /**
     * A new challenge.
     *
     * @param json as in {@link ChallengeVerifier#challenge}
     */
    record Challenge(String json) implements Answer {}

    /** There is no published coupon with this id that has a waiting room. */
    record NoRoom() implements Answer {}

    /** This instance does not have the coupon's key yet. */
    record Recovering() implements Answer {}
  }

  /**
   * A new challenge of this user for this coupon, also if the room does not require one: instances
   * know of an edit at different times.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if this instance does not know
   *     the coupon yet and the database is not reachable
   */
  public Answer challenge(CouponId couponId, UserId user) {
    var coupon = catalog.find(couponId).orElse(null);
    if (coupon == null || coupon.definition().waitingRoom() == null) {
      return new Answer.NoRoom();
    }
    return codeKeys.isInstalled(coupon.codeKeyVersion())
        ? new Answer.Challenge(challenges.challenge(coupon, user))
        : new Answer.Recovering();
  }
}
