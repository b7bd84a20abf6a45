package io.firstcome.application.retention;

import io.firstcome.application.server.CompareClocks;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.RetentionExport;
import io.firstcome.domain.port.UserCouponRetention;
import io.firstcome.domain.retention.RemovalStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Exports and removes the user coupons of archived coupons when their retention is over, a batch at
 * a time.
 *
 * <p>Several instances may do so at once: one of them removes the rows of a coupon, and the others
 * skip that coupon in their round. What is exported is removed afterwards, in the same transaction,
 * so a crash never loses a row, and may export a batch twice. Not thread-safe.
 */
public final class RemoveUserCoupons {

  private static final int COUPONS_A_PAGE = 100;

  private final UserCouponRetention rows;
  private final RetentionExport export;
  private final Duration retention;
  private final CompareClocks clocks;
  private final RetentionLimits limits;
  private final IssuanceObserver observer;

  /** The coupon that was looked at last in this round; null before the first one. */
  private @Nullable CouponId last;

  private @Nullable Removal current;

  /**
   * @param retention how long rows stay after their coupon was archived and its last user coupon
   *     has ended
   */
  public RemoveUserCoupons(
      UserCouponRetention rows,
      RetentionExport export,
      Duration retention,
      CompareClocks clocks,
      RetentionLimits limits,
      IssuanceObserver observer) {
    this.rows = rows;
    this.export = export;
    this.retention = retention;
    this.clocks = clocks;
    this.limits = limits;
    this.observer = observer;
  }

  /** The coupon whose rows are being removed, after that user coupon. */
  private record Removal(CouponId couponId, @Nullable SlotOwner after) {}

  /**
   * Removes one batch. No removal begins while the clocks of the database and of this instance
   * contradict each other.
   *
   * @return false if this round over all coupons that are due is done
   * @throws io.firstcome.domain.port.ExportFailedException if the batch could not be exported; it
   *     is tried again in the next round
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public boolean removeNext() {
    var removal = current == null ? clocks.undoubted().flatMap(this::begin).orElse(null) : current;
    if (removal == null) {
      last = null;
      return false;
    }
    // If the step fails, the coupon is skipped in this round and does not delay others.
    current = null;
    var step = rows.removeNext(removal.couponId(), removal.after(), limits.batch(), export);
    if (step instanceof RemovalStep.Removed(int removed, var owner)) {
      observer.observe(new OperationObservation.RowsRemoved(removed));
      current = new Removal(removal.couponId(), owner);
    }
    return true;
  }

  /** The next coupon of this round whose removal could begin. */
  private Optional<Removal> begin(Instant now) {
    var endedBy = now.minus(retention);
    for (var page = due(endedBy); !page.isEmpty(); page = due(endedBy)) {
      for (var couponId : page) {
        last = couponId;
        if (canBegin(couponId, endedBy)) {
          return Optional.of(new Removal(couponId, null));
        }
      }
    }
    return Optional.empty();
  }

  /** One whose rows another session has locked is skipped in this round. */
  private boolean canBegin(CouponId couponId, Instant endedBy) {
    try {
      return rows.begin(couponId, endedBy);
    } catch (DatabaseLockedException e) {
      return false;
    }
  }

  private List<CouponId> due(Instant endedBy) {
    return rows.due(endedBy, last, COUPONS_A_PAGE);
  }
}
