package io.firstcome.domain.coupon;

import io.firstcome.domain.coupon.CouponChange.Refused.Reason;
import java.util.function.Supplier;

/**
 * A promotion as the system keeps it.
 *
 * @param revision counts the operator's changes, from 1; the stock backend takes a newer one only
 * @param partition where its stock lives; stored at definition and never worked out again, so that
 *     another partition count cannot move a running coupon
 * @param codeKeyVersion the key its user coupons' ids and codes are derived with, for its whole
 *     life
 * @param stockBackend where its stock lives
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

  /** A coupon that nobody has claimed yet. */
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

  /** Holds claims back until the coupon is resumed. */
  public CouponChange pause() {
    return to(CouponStatus.PAUSED);
  }

  /** Lets claims flow again. */
  public CouponChange resume() {
    return to(CouponStatus.ACTIVE);
  }

  /** Ends claims for good. */
  public CouponChange close() {
    return to(CouponStatus.CLOSED);
  }

  /**
   * Puts a closed coupon away: the database alone answers for it from then on. Whether all of it is
   * recorded is not asked here.
   */
  public CouponChange archive() {
    return switch (status) {
      case ACTIVE, PAUSED -> new CouponChange.Refused(Reason.NOT_CLOSED);
      case CLOSED -> changed(definition, CouponStatus.ARCHIVED);
      case ARCHIVED -> new CouponChange.AlreadySo();
    };
  }

  /**
   * What the coupon is worth on an order. Whether a certain user coupon can be used is not asked
   * here.
   */
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
   * Adds pieces: slots that were given stay what they are, so there can never be fewer.
   *
   * @param totalQuantity pieces, 1 to {@value CouponDefinition#MAX_TOTAL_QUANTITY}
   * @throws IllegalArgumentException if it is out of range
   */
  public CouponChange raiseTo(int totalQuantity) {
    CouponDefinition.requireTotalQuantity(totalQuantity);
    if (totalQuantity == definition.totalQuantity()) {
      return new CouponChange.AlreadySo();
    }
    return whileItCanChange(() ->
        totalQuantity < definition.totalQuantity()
            ? new CouponChange.Refused(Reason.FEWER_PIECES)
            : changed(definition.withTotalQuantity(totalQuantity), status));
  }

  /**
   * The same terms in a later revision, so that a stock takes them as newer ones.
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
        : whileItCanChange(() -> changed(definition, wanted));
  }

  private CouponChange whileItCanChange(Supplier<CouponChange> change) {
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
