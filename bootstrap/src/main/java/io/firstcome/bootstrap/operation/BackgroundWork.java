package io.firstcome.bootstrap.operation;

import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.archive.ArchiveEndedCoupons;
import io.firstcome.application.curve.CountClaims;
import io.firstcome.application.erasure.EraseUsers;
import io.firstcome.application.reconciliation.ReconcileCoupons;
import io.firstcome.application.stock.StockSync;
import io.firstcome.application.usercoupon.ExpireUserCoupons;
import io.firstcome.application.usercoupon.ForgetWrongCodes;
import io.firstcome.application.usercoupon.ReleaseSlots;
import io.firstcome.domain.observation.IssuanceObserver;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * The background loops of every deployment: they apply operators' changes to the stock, release
 * returned slots, reconcile, record expiry, delete expired counts of wrong codes, archive coupons
 * that have ended, and erase users.
 */
@Component
class BackgroundWork extends WorkInLoops {

  private static final Duration APPLY_CHANGES_EVERY = Duration.ofSeconds(1);
  private static final Duration RELEASE_SLOTS_EVERY = Duration.ofSeconds(1);

  /** Expiry does not wait for it: every read of a user coupon applies the time. */
  private static final Duration EXPIRY_EVERY = Duration.ofSeconds(10);

  /** Expired counts are not read, so deleting them is not urgent. */
  private static final Duration FORGET_EVERY = Duration.ofMinutes(1);

  /** So a curve is about two seconds behind. */
  private static final Duration STORE_COUNTS_EVERY = Duration.ofSeconds(1);

  /** Merging counts that are a week old is not urgent. */
  private static final Duration MERGE_COUNTS_EVERY = Duration.ofMinutes(1);

  /** Archiving a coupon that has ended is not urgent. */
  private static final Duration ARCHIVE_EVERY = Duration.ofMinutes(1);

  /** Short, because an operator may wait for the end. */
  private static final Duration ERASE_EVERY = Duration.ofSeconds(2);

  /** Short, because the comparison itself pauses after each page. */
  private static final Duration COMPARE_EVERY = Duration.ofMillis(100);

  private final StockSync stockSync;
  private final ReleaseSlots releaseSlots;
  private final ReconcileCoupons reconcileCoupons;
  private final ExpireUserCoupons expireUserCoupons;
  private final ForgetWrongCodes forgetWrongCodes;
  private final CountClaims countClaims;
  private final ArchiveEndedCoupons archiveEndedCoupons;
  private final EraseUsers eraseUsers;
  private final ApplicationLimits limits;

  BackgroundWork(
      StockSync stockSync,
      ReleaseSlots releaseSlots,
      ReconcileCoupons reconcileCoupons,
      ExpireUserCoupons expireUserCoupons,
      ForgetWrongCodes forgetWrongCodes,
      CountClaims countClaims,
      ArchiveEndedCoupons archiveEndedCoupons,
      EraseUsers eraseUsers,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    super(observer);
    this.stockSync = stockSync;
    this.releaseSlots = releaseSlots;
    this.reconcileCoupons = reconcileCoupons;
    this.expireUserCoupons = expireUserCoupons;
    this.forgetWrongCodes = forgetWrongCodes;
    this.countClaims = countClaims;
    this.archiveEndedCoupons = archiveEndedCoupons;
    this.eraseUsers = eraseUsers;
    this.limits = limits;
  }

  @Override
  protected List<Loop> loops() {
    return List.of(
        loop("applying coupon changes", this::catchUp),
        loop("releasing slots", this::releaseSlots),
        loop("reconciling", this::reconcile),
        loop("recording expiry", this::expire),
        loop("forgetting wrong codes", this::forget),
        loop("storing counts of claims", this::storeCounts),
        loop("merging counts of claims", this::mergeCounts),
        loop("archiving ended coupons", this::archive),
        loop("erasing users", this::erase));
  }

  private Duration erase() {
    return eraseUsers.eraseNext() ? Duration.ZERO : ERASE_EVERY;
  }

  private Duration catchUp() {
    stockSync.catchUp();
    return APPLY_CHANGES_EVERY;
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

  private Duration storeCounts() {
    countClaims.store();
    return STORE_COUNTS_EVERY;
  }

  private Duration mergeCounts() {
    return countClaims.mergeOld() ? Duration.ZERO : MERGE_COUNTS_EVERY;
  }

  private Duration archive() {
    archiveEndedCoupons.archiveDue();
    return ARCHIVE_EVERY;
  }

  private Duration expire() {
    boolean full = expireUserCoupons.expireOverdue() == limits.userCoupons().expiryBatch();
    return full ? Duration.ZERO : EXPIRY_EVERY;
  }
}
