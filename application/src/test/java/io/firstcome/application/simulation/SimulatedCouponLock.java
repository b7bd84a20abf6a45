package io.firstcome.application.simulation;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.handoff.LateClaimSettlement;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Locks that keep a coupon from changes and its claims from being recorded, held for a while as by
 * an operator in psql.
 */
final class SimulatedCouponLock {

  private static final double BEGINS = 0.02;
  private static final int MAX_STEPS = 200;

  private final SimulationSetting setting;
  private final Schedule schedule;
  private @Nullable CouponId locked;
  private int endsAt;

  SimulatedCouponLock(SimulationSetting setting) {
    this.setting = setting;
    schedule = setting.schedule();
  }

  /** Begins or ends a lock, if the history has locks. */
  void timePasses() {
    if (locked != null && schedule.step() >= endsAt) {
      end();
    } else if (setting.locking() && locked == null && schedule.chance(BEGINS)) {
      locked = schedule.oneOf(setting.coupons().stream().map(Coupon::id).toList());
      endsAt = schedule.step() + 1 + schedule.below(MAX_STEPS);
      schedule.struck(SimulatedFault.COUPON_LOCKED, locked.value());
    }
  }

  void end() {
    locked = null;
  }

  /** Whether the call waits for the locks. */
  boolean blocks(SimulatedCall call) {
    return locked != null
        && switch (call.name()) {
          case "record" -> isOfLockedCoupon((List<?>) call.arguments().getFirst());
          case "settle" ->
              call.arguments().getFirst() instanceof LateClaimSettlement settlement
                  && locked.equals(settlement.couponId());
          case "noteApplied" -> locked.equals(call.arguments().getFirst());
          default -> false;
        };
  }

  /** Those of the coupons that the database reports as locked. */
  Set<CouponId> lockedAmong(Set<?> couponIds) {
    return locked != null && couponIds.contains(locked) ? Set.of(locked) : Set.of();
  }

  private boolean isOfLockedCoupon(@Nullable List<?> claims) {
    return claims != null
        && claims.stream()
            .map(AcceptedClaim.class::cast)
            .anyMatch(claim -> claim.couponId().equals(locked));
  }
}
