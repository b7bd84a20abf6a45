package io.firstcome.application.claim;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.application.stock.PassedOver;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.usercoupon.MissingCodeKeyException;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A customer reads the status of their claim. */
public final class FindClaim {

  private final CouponCatalog catalog;
  private final KnownEpochs epochs;
  private final UserCouponRepository userCoupons;
  private final LateClaimRepository lateClaims;
  private final CouponStock stock;
  private final CodeKeys codeKeys;
  private final InstantSource clock;

  public FindClaim(
      CouponCatalog catalog,
      KnownEpochs epochs,
      UserCouponRepository userCoupons,
      LateClaimRepository lateClaims,
      CouponStock stock,
      CodeKeys codeKeys,
      InstantSource clock) {
    this.catalog = catalog;
    this.epochs = epochs;
    this.userCoupons = userCoupons;
    this.lateClaims = lateClaims;
    this.stock = stock;
    this.codeKeys = codeKeys;
    this.clock = clock;
  }

  /** The status of a claim. */
  public sealed interface Result {

    /** There is a row; the user coupon as it is now. */
    record Recorded(UserCoupon userCoupon) implements Result {}

    /** The claim holds a slot and has no row yet. */
    record Accepted(UserCouponIdentity identity, Slot slot) implements Result {}

    /** The claim lost its slot in a loss of data, and no other slot was left. */
    record Rejected() implements Result {}

    /** The user's slot was returned. */
    record Returned() implements Result {}

    /** The user has no claim. */
    record None() implements Result {}

    /** There is no such coupon. */
    record UnknownCoupon() implements Result {}
  }

  /**
   * The claims of a user of some coupons, like {@link #find}, with a few queries for all of them.
   *
   * @return a result for each coupon, except for those without a row whose ledger or key is not
   *     available at the moment
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Map<CouponId, Result> findAll(Set<CouponId> couponIds, UserId user) {
    var now = clock.instant();
    var rows = userCoupons.findAll(user, couponIds);
    var rejected = lateClaims.rejected(user, couponIds);
    var late = lateClaims.waiting(user, couponIds);
    var found = new HashMap<CouponId, Result>();
    var passedOver = new PassedOver();
    for (var couponId : couponIds) {
      var row = rows.get(couponId);
      if (row != null) {
        found.put(couponId, new Result.Recorded(row.at(now)));
      } else if (rejected.contains(couponId)) {
        found.put(couponId, new Result.Rejected());
      } else {
        withoutRow(couponId, user, late.get(couponId), passedOver)
            .ifPresent(known -> found.put(couponId, known));
      }
    }
    return found;
  }

  /**
   * The claims of a user of some coupons that are recorded, with one query for all of them.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  Map<CouponId, Result> recorded(Set<CouponId> couponIds, UserId user) {
    var now = clock.instant();
    var found = new HashMap<CouponId, Result>();
    userCoupons
        .findAll(user, couponIds)
        .forEach((couponId, row) -> found.put(couponId, new Result.Recorded(row.at(now))));
    return found;
  }

  private Optional<Result> withoutRow(
      CouponId couponId, UserId user, @Nullable LateClaim late, PassedOver passedOver) {
    var coupon = catalog.find(couponId).orElse(null);
    if (coupon == null) {
      return Optional.of(new Result.UnknownCoupon());
    }
    try {
      if (late != null) {
        return Optional.of(accepted(coupon, user, late.promised()));
      }
      if (coupon.status() == CouponStatus.ARCHIVED) {
        return Optional.of(new Result.None());
      }
      return passedOver.contains(coupon) ? Optional.empty() : Optional.of(inLedger(coupon, user));
    } catch (StockUnavailableException e) {
      passedOver.add(coupon, e);
      return Optional.empty();
    } catch (MissingCodeKeyException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads the database first and the ledger last, so a claim that is in neither does not exist. An
   * archived coupon has no ledger. If it is archived in between, the database, which has everything
   * by then, is read again.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   * @throws io.firstcome.domain.port.StockUnavailableException if the database does not have the
   *     claim and the ledger could not be read
   * @throws io.firstcome.domain.usercoupon.MissingCodeKeyException if the claim has no row yet and
   *     this instance does not have the coupon's key
   */
  public Result find(CouponId couponId, UserId user) {
    var coupon = catalog.find(couponId).orElse(null);
    if (coupon == null) {
      return new Result.UnknownCoupon();
    }
    var known = inDatabase(coupon, user);
    if (!(known instanceof Result.None) || coupon.status() == CouponStatus.ARCHIVED) {
      return known;
    }
    try {
      return inLedger(coupon, user);
    } catch (StockFencedException e) {
      if (catalog.isArchived(coupon)) {
        return inDatabase(coupon, user);
      }
      throw e;
    }
  }

  private Result inDatabase(Coupon coupon, UserId user) {
    var row = userCoupons.find(coupon.id(), user);
    if (row.isPresent()) {
      return new Result.Recorded(row.get().at(clock.instant()));
    }
    if (lateClaims.isRejected(coupon.id(), user)) {
      return new Result.Rejected();
    }
    var late = lateClaims.waiting(coupon.id(), List.of(user)).get(user);
    return late == null ? new Result.None() : accepted(coupon, user, late.promised());
  }

  private Result inLedger(Coupon coupon, UserId user) {
    return switch (stock.find(epochs.address(coupon), user).orElse(null)) {
      case null -> new Result.None();
      case LedgerMark.Holds(Slot slot) -> accepted(coupon, user, slot);
      case LedgerMark.WasRejected() -> new Result.Rejected();
      case LedgerMark.GaveBack(Slot slot) -> new Result.Returned();
    };
  }

  private Result accepted(Coupon coupon, UserId user, Slot slot) {
    return new Result.Accepted(
        codeKeys.identityOf(coupon.codeKeyVersion(), coupon.id(), user), slot);
  }
}
