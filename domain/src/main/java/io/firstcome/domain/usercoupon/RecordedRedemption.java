package io.firstcome.domain.usercoupon;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A redemption as it was last recorded, which may have ended.
 *
 * @param heldUntil the first instant after the hold, in state HELD; else null
 * @param changedAt when it reached the state
 */
public record RecordedRedemption(
    RedemptionId id,
    Redemption redemption,
    State state,
    @Nullable Instant heldUntil,
    Instant changedAt) {

  /** The states of a redemption. */
  public enum State {
    /** The user coupon is held for the order. */
    HELD,
    /** The user coupon was used on the order. */
    CONFIRMED,
    /** The hold has ended without a use. */
    RELEASED,
    /** The use was undone. */
    UNDONE
  }

  public RecordedRedemption {
    if ((state == State.HELD) != (heldUntil != null)) {
      throw new IllegalArgumentException("heldUntil must be set if and only if the state is HELD");
    }
  }

  /** The state at that time: a hold ends at its limit. */
  public State stateAt(Instant now) {
    return heldUntil != null && !now.isBefore(heldUntil) ? State.RELEASED : state;
  }
}
