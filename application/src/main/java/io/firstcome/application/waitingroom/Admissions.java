package io.firstcome.application.waitingroom;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.waitingroom.SignedTexts;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks the admissions that users present with their claims, without a call to another server. */
public final class Admissions {

  private final RoomReadings readings;
  private final SignedTexts texts;

  public Admissions(RoomReadings readings, CodeKeys codeKeys) {
    this.readings = readings;
    this.texts = new SignedTexts(codeKeys);
  }

  /** What an admission is. */
  public enum Check {
    VALID,
    /** The user presents none. */
    MISSING,
    /** It is none of this user and coupon. */
    INVALID,
    EXPIRED,
    /** This instance has not read the room recently, so it does not know the time that counts. */
    NOT_READ
  }

  /**
   * Checks the admission.
   *
   * @param coupon one with a waiting room, whose key this instance has
   * @param text of the admission, or null
   */
  public Check check(Coupon coupon, UserId user, @Nullable String text) {
    if (text == null) {
      return Check.MISSING;
    }
    return texts.admission(coupon, user, text).map(end -> check(coupon, end)).orElse(Check.INVALID);
  }

  private Check check(Coupon coupon, Duration end) {
    return readings
        .current(coupon.id())
        .map(reading -> reading.state().progress().number().counted())
        .map(counted -> counted.compareTo(end) < 0 ? Check.VALID : Check.EXPIRED)
        .orElse(Check.NOT_READ);
  }
}
