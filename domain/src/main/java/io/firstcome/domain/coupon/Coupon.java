package io.firstcome.domain.coupon;

import io.firstcome.domain.coupon.CouponChange.Refused.Reason;
import java.util.function.Supplier;

/**
 * A coupon as the system stores it.
 *
 * @param revision counts the operators' changes, from 1; the stock backend accepts only a newer one
 * @param partition of its stock; stored at definition and never computed again, so that another
 *     partition count cannot move an existing coupon
 * @param codeKeyVersion the version of the code key of its user coupons; it never changes
 * @param stockBackend of its stock
 */
public record Coupon(
    CouponDefinition definition,
    CouponStatus status,
    int revision,
    Partition partition,
    int codeKeyVersion,
    StockBackend stockBackend) {

  public Coupon {
    if (revision < 1) {
      throw new IllegalArgumentException("revision must be positive: " + revision);
    }
    if (codeKeyVersion < 1) {
      throw new IllegalArgumentException("codeKeyVersion must be positive: " + codeKeyVersion);
    }
    if (stockBackend == StockBackend.POSTGRES && definition.waitingRoom() != null) {
      throw new IllegalArgumentException("waitingRoom needs a stock in Redis");
    }
  }

  /** A new coupon without claims. */
  public static Coupon define(
      CouponDefinition definition,
      Partition partition,
      int codeKeyVersion,
      StockBackend stockBackend) {
    return new Coupon(definition, CouponStatus.ACTIVE, 1, partition, codeKeyVersion, stockBackend);
  }

  public CouponId id() {
    return definition.couponId();
  }

  /** Refuses claims until the coupon is resumed. */
  public CouponChange pause() {
    return to(CouponStatus.PAUSED);
  }

  /** Accepts claims again. */
  public CouponChange resume() {
    return to(CouponStatus.ACTIVE);
  }

  /** Refuses claims permanently. */
  public CouponChange close() {
    return to(CouponStatus.CLOSED);
  }

  /**
   * Archives a closed coupon: only the database has its data from then on. This does not check
   * whether everything is recorded.
   */
  public CouponChange archive() {
    return switch (status) {
      case ACTIVE, PAUSED -> new CouponChange.Refused(Reason.NOT_CLOSED);
      case CLOSED -> changed(definition, CouponStatus.ARCHIVED);
      case ARCHIVED -> new CouponChange.AlreadySo();
    };
  }

  /** What the coupon is worth on an order. This does not check whether a user coupon is usable. */
  public Worth worthOn(Money order) {
    if (!order.currency().equals(definition.discount().currency())) {
      return new Worth.Nothing(Worth.Nothing.Reason.WRONG_CURRENCY);
    }
    var minimum = definition.minimumOrder();
    var discount = definition.discount().on(order);
    return discount.minorUnits() == 0 || (minimum != null && order.isLessThan(minimum))
        ? new Worth.Nothing(Worth.Nothing.Reason.BELOW_MINIMUM)
        : new Worth.Off(discount);
  }

  /**
   * Raises the quantity. It can never be lowered, since allocated slots stay.
   *
   * @param totalQuantity slots, 1 to {@value CouponDefinition#MAX_TOTAL_QUANTITY}
   * @throws IllegalArgumentException if it is out of range
   */
  public CouponChange raiseTo(int totalQuantity) {
    CouponDefinition.requireTotalQuantity(totalQuantity);
    if (totalQuantity == definition.totalQuantity()) {
      return new CouponChange.AlreadySo();
    }
    return ifChangeable(() ->
        totalQuantity < definition.totalQuantity()
            ? new CouponChange.Refused(Reason.LOWER_QUANTITY)
            : changed(definition.withTotalQuantity(totalQuantity), status));
  }

  /**
   * The same terms in a later revision, so that a stock accepts them as newer.
   *
   * @throws IllegalArgumentException if the revision is not later
   */
  public Coupon withRevision(int later) {
    if (later <= revision) {
      throw new IllegalArgumentException(
          "revision must be later than %d: %d".formatted(revision, later));
    }
    return new Coupon(definition, status, later, partition, codeKeyVersion, stockBackend);
  }

  private CouponChange to(CouponStatus wanted) {
    return status == wanted
        ? new CouponChange.AlreadySo()
        : ifChangeable(() -> changed(definition, wanted));
  }

  private CouponChange ifChangeable(Supplier<CouponChange> change) {
    return switch (status) {
      case ACTIVE, PAUSED -> change.get();
      case CLOSED -> new CouponChange.Refused(Reason.CLOSED_FOR_GOOD);
      case ARCHIVED -> new CouponChange.Refused(Reason.ARCHIVED_FOR_GOOD);
    };
  }

  private CouponChange changed(CouponDefinition newDefinition, CouponStatus newStatus) {
    return new CouponChange.Changed(
        this,
        new Coupon(
            newDefinition, newStatus, revision + 1, partition, codeKeyVersion, stockBackend));
  }
}
