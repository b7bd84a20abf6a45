package io.firstcome.domain.rehearsal;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One rehearsal.
 *
 * @param cloneId the coupon that is issued in place of the planned one
 * @param actor who has started it
 * @param instance that sends the claims
 * @param answered claims until now
 * @param result null before its end, and if it ended early
 */
public record Rehearsal(
    RehearsalId id,
    RehearsalPlan plan,
    CouponId cloneId,
    Actor actor,
    String instance,
    Instant startedAt,
    State state,
    int answered,
    @Nullable RehearsalResult result) {

  /** From the start to the end, in this order. */
  public enum State {
    /** Its instance sends claims, or waits for rows. */
    RUNNING,
    /** What it has issued is being removed. */
    REMOVING,
    /** What it has issued is removed. */
    REMOVED
  }

  /** Whether it ended without a result, because its instance ended or the clone had a problem. */
  public boolean endedEarly() {
    return state != State.RUNNING && result == null;
  }
}
