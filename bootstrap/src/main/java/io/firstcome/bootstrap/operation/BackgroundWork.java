package io.firstcome.bootstrap.operation;

import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.BringToStock;
import io.firstcome.application.ExpireUserCoupons;
import io.firstcome.application.ForgetWrongCodes;
import io.firstcome.application.ReconcileCoupons;
import io.firstcome.application.ReleaseSlots;
import io.firstcome.domain.port.IssuanceObserver;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * All that goes on without being asked wherever the stock is: finishing what operators and
 * customers have begun, comparing, recording what time has ended.
 */
@Component
class BackgroundWork extends WorkInLoops {

  private static final Duration BRING_TO_STOCK_EVERY = Duration.ofSeconds(1);
  private static final Duration RELEASE_SLOTS_EVERY = Duration.ofSeconds(1);

  /** Nobody waits for it: whoever reads a user coupon applies the time. */
  private static final Duration EXPIRY_EVERY = Duration.ofSeconds(10);

  /** No count is read after its time. */
  private static final Duration FORGET_EVERY = Duration.ofMinutes(1);

  /** It rests while it compares, too. */
  private static final Duration COMPARE_EVERY = Duration.ofMillis(100);

  private final BringToStock bringToStock;
  private final ReleaseSlots releaseSlots;
  private final ReconcileCoupons reconcileCoupons;
  private final ExpireUserCoupons expireUserCoupons;
  private final ForgetWrongCodes forgetWrongCodes;
  private final ApplicationLimits limits;

  BackgroundWork(
      BringToStock bringToStock,
      ReleaseSlots releaseSlots,
      ReconcileCoupons reconcileCoupons,
      ExpireUserCoupons expireUserCoupons,
      ForgetWrongCodes forgetWrongCodes,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    super(observer);
    this.bringToStock = bringToStock;
    this.releaseSlots = releaseSlots;
    this.reconcileCoupons = reconcileCoupons;
    this.expireUserCoupons = expireUserCoupons;
    this.forgetWrongCodes = forgetWrongCodes;
    this.limits = limits;
  }

  @Override
  List<Loop> loops() {
    return List.of(
        loop("bringing to stock", this::catchUp),
        loop("releasing slots", this::releaseSlots),
        loop("reconciling", this::reconcile),
        loop("recording expiry", this::expire),
        loop("forgetting wrong codes", this::forget));
  }

  private Duration catchUp() {
    bringToStock.catchUp();
    return BRING_TO_STOCK_EVERY;
  }

  private Duration releaseSlots() {
    releaseSlots.catchUp();
    return RELEASE_SLOTS_EVERY;
  }

  private Duration reconcile() {
    reconcileCoupons.reconcileNext();
    return COMPARE_EVERY;
  }

  private Duration forget() {
    return forgetWrongCodes.forget() ? Duration.ZERO : FORGET_EVERY;
  }

  private Duration expire() {
    boolean full = expireUserCoupons.expireOverdue() == limits.expiryBatch();
    return full ? Duration.ZERO : EXPIRY_EVERY;
  }
}
