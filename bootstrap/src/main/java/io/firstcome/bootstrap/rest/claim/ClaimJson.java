package io.firstcome.bootstrap.rest.claim;

import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The reply to a claim that has a slot.
 *
 * @param state of the user coupon; null if it is not known
 */
record ClaimJson(String outcome, UserCouponIdentity identity, Slot slot, @Nullable String state) {

  private static final int USUAL_LENGTH = 200;

  /** Written by hand, for speed. All values are ASCII and need no escaping. */
  byte[] toBytes() {
    var json =
        new StringBuilder(USUAL_LENGTH)
            .append("{\"outcome\":\"")
            .append(outcome)
            .append("\",\"couponId\":\"")
            .append(identity.id().couponId().value())
            .append("\",\"userCouponId\":\"")
            .append(identity.id())
            .append("\",\"slot\":")
            .append(slot.number())
            .append(",\"code\":\"")
            .append(identity.code().value())
            .append('"');
    if (state != null) {
      json.append(",\"state\":\"").append(state).append('"');
    }
    return json.append('}').toString().getBytes(StandardCharsets.US_ASCII);
  }
}
