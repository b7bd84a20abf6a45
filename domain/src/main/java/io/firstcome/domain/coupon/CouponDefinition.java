package io.firstcome.domain.coupon;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a coupon by an operator.
 *
 * @param totalQuantity slots, 1 to {@value #MAX_TOTAL_QUANTITY}
 * @param minimumOrder the smallest order it can be used on, in the discount's currency, or null
 * @param returnsToStock whether the slot of a returned or revoked coupon can be claimed again
 * @param waitingRoom the queue that claims must pass, or null for none
 */
public record CouponDefinition(
    CouponId couponId,
    String name,
    int totalQuantity,
    Discount discount,
    @Nullable Money minimumOrder,
    IssuanceWindow window,
    Validity validity,
    boolean returnsToStock,
    @Nullable WaitingRoom waitingRoom) {

  public static final int MAX_TOTAL_QUANTITY = 100_000_000;

  private static final int MAX_NAME_LENGTH = 200;

  public CouponDefinition {
    requireName(name);
    requireTotalQuantity(totalQuantity);
    if (minimumOrder != null && !minimumOrder.currency().equals(discount.currency())) {
      throw new InvalidMemberException(
          "minimumOrder", "must be in " + discount.currency() + ": " + minimumOrder.currency());
    }
    // Stored times are in milliseconds: without truncation, a repeated definition would differ.
    window = new IssuanceWindow(millis(window.opensAt()), millis(window.closesAt()));
    validity =
        switch (validity) {
          case Validity.Until(Instant until) -> {
            if (!until.isAfter(window.opensAt())) {
              throw new InvalidMemberException("validity.until", "must be after opensAt: " + until);
            }
            yield new Validity.Until(millis(until));
          }
          case Validity.Days days -> days;
        };
  }

  /**
   * Checks a name: one line of 1 to {@value #MAX_NAME_LENGTH} characters.
   *
   * @return the name
   * @throws IllegalArgumentException if it is not a name
   */
  public static String requireName(String name) {
    return TextLine.require("name", name, MAX_NAME_LENGTH);
  }

  /**
   * Checks a quantity: 1 to {@value #MAX_TOTAL_QUANTITY}.
   *
   * @return the quantity
   * @throws IllegalArgumentException if it is out of range
   */
  public static int requireTotalQuantity(int totalQuantity) {
    if (totalQuantity < 1 || totalQuantity > MAX_TOTAL_QUANTITY) {
      throw new IllegalArgumentException(
          "totalQuantity must be 1 to " + MAX_TOTAL_QUANTITY + ": " + totalQuantity);
    }
    return totalQuantity;
  }

  /** The same definition with another quantity. */
  CouponDefinition withTotalQuantity(int newTotalQuantity) {
    return new CouponDefinition(
        couponId,
        name,
        newTotalQuantity,
        discount,
        minimumOrder,
        window,
        validity,
        returnsToStock,
        waitingRoom);
  }

  private static Instant millis(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS);
  }
}
