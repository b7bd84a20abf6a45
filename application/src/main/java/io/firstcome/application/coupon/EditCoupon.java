package io.firstcome.application.coupon;

import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.application.stock.StockSync;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponRepository.EditOutcome;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.UnaryOperator;

/**
 * An operator edits the definition of a coupon, or deletes a draft.
 *
 * <p>An edit that is possible only before the first claim happens in three steps: the stock is
 * frozen if nobody has claimed the coupon, the edit is committed, and the stock gets the new terms,
 * which ends the freeze. If this process dies before the commit, {@link StockSync#catchUp()} ends
 * the freeze some seconds later, in a later revision, which a commit of this edit would not meet.
 */
public final class EditCoupon {

  /** Each failed try means that a recovery has begun in between. */
  private static final int MAX_TRIES = 3;

  /** Shorter than {@link CouponRepository#FREEZE_LIMIT}. */
  private static final Duration FREEZE_WITHIN = Duration.ofSeconds(2);

  private final CouponRepository coupons;
  private final CouponStock stock;
  private final KnownEpochs epochs;
  private final CouponCatalog catalog;
  private final StockSync stockSync;
  private final InstantSource clock;

  public EditCoupon(
      CouponRepository coupons,
      CouponStock stock,
      KnownEpochs epochs,
      CouponCatalog catalog,
      StockSync stockSync,
      InstantSource clock) {
    this.coupons = coupons;
    this.stock = stock;
    this.epochs = epochs;
    this.catalog = catalog;
    this.stockSync = stockSync;
    this.clock = clock;
  }

  /** The result of an edit. */
  public sealed interface Result {

    /** The coupon is so, by this call or before, in the database and in the stock. */
    record Done(Coupon coupon) implements Result {}

    /** The edit is not possible; nothing changed. */
    record Refused(CouponChange.Refused.Reason reason) implements Result {}

    /** The coupon has another revision; nothing changed. */
    record Overtaken(int revision) implements Result {}

    /** The edit is possible only before the first claim; nothing changed. */
    record AlreadyClaimed() implements Result {}

    /**
     * The stock is not reachable, or is being recovered, so it is not known whether anybody has
     * claimed the coupon; nothing changed.
     */
    record StockUnreachable() implements Result {}

    /** There is no such coupon. */
    record Unknown() implements Result {}
  }

  /** The result of a deletion. */
  public sealed interface Deletion {

    /** It is deleted. */
    record Done() implements Deletion {}

    /** It is published; nothing changed. */
    record NotDraft() implements Deletion {}

    /** The draft has another revision; nothing changed. */
    record Overtaken(int revision) implements Deletion {}

    /** There is no such coupon. */
    record Unknown() implements Deletion {}
  }

  /**
   * Edits the coupon, and returns once new claims see the change.
   *
   * @param revision of the coupon as the operator knows it
   * @param edit its definition into the wanted one
   * @throws StockUnavailableException if the edit is committed and the stock may not have it yet;
   *     it is applied automatically later
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the commit
   */
  public Result edit(
      CouponId couponId, int revision, UnaryOperator<CouponDefinition> edit, Actor actor) {
    for (int i = 0; i < MAX_TRIES; i++) {
      var found = coupons.find(couponId);
      if (found.isEmpty()) {
        return new Result.Unknown();
      }
      var stored = found.get();
      if (stored.revision() != revision) {
        return new Result.Overtaken(stored.revision());
      }
      switch (stored.edit(edit.apply(stored.definition()))) {
        case CouponChange.Refused(var reason) -> {
          return new Result.Refused(reason);
        }
        case CouponChange.AlreadySo() -> {
          return done(stored);
        }
        case CouponChange.Changed change -> {
          EditOutcome outcome;
          try {
            outcome = change.needsNoClaims() ? editUnclaimed(change, actor) : edit(change, actor);
          } catch (StockUnavailableException e) {
            return new Result.StockUnreachable();
          }
          switch (outcome) {
            case DONE -> {
              return done(change.coupon());
            }
            case CLAIMED -> {
              return new Result.AlreadyClaimed();
            }
            case OVERTAKEN, OTHER_EPOCH -> {}
          }
        }
      }
    }
    return new Result.StockUnreachable();
  }

  private EditOutcome edit(CouponChange.Changed change, Actor actor) {
    return coupons.change(change, actor, clock.instant())
        ? EditOutcome.DONE
        : EditOutcome.OVERTAKEN;
  }

  private EditOutcome editUnclaimed(CouponChange.Changed change, Actor actor) {
    var stored = change.before();
    var address = epochs.address(stored);
    long begun = System.nanoTime();
    coupons.noteFreeze(stored.id());
    // Later than that, another instance could take the note for one of an edit that has ended.
    var left = FREEZE_WITHIN.minusNanos(System.nanoTime() - begun);
    if (!left.isPositive()) {
      return EditOutcome.OTHER_EPOCH;
    }
    var outcome =
        switch (stock.freeze(address, stored.revision(), left)) {
          case FROZEN -> coupons.editUnclaimed(change, address.epoch(), actor, clock.instant());
          case CLAIMED -> EditOutcome.CLAIMED;
          case OTHER_REVISION -> EditOutcome.OVERTAKEN;
        };
    if (outcome != EditOutcome.DONE) {
      // Ends the freeze, and brings a stock up to date whose revision is an earlier one.
      coupons.find(stored.id()).ifPresent(stockSync::ensure);
    }
    return outcome;
  }

  private Result done(Coupon coupon) {
    if (!coupon.isPublished()) {
      return new Result.Done(coupon);
    }
    catalog.remember(coupon);
    return new Result.Done(stockSync.ensure(coupon));
  }

  /**
   * Deletes a draft.
   *
   * @param revision of the draft as the operator knows it
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the deletion
   */
  public Deletion delete(CouponId couponId, int revision, Actor actor) {
    while (true) {
      var found = coupons.find(couponId);
      if (found.isEmpty()) {
        return new Deletion.Unknown();
      }
      var stored = found.get();
      if (stored.isPublished()) {
        return new Deletion.NotDraft();
      }
      if (stored.revision() != revision) {
        return new Deletion.Overtaken(stored.revision());
      }
      // Otherwise its revision has changed, or it is gone.
      if (coupons.delete(stored, actor, clock.instant())) {
        return new Deletion.Done();
      }
    }
  }
}
