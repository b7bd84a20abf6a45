package io.firstcome.domain.coupon;

/** What a coupon is worth on an order. */
public sealed interface Worth {

  /**
   * The coupon applies, with this discount.
   *
   * @param discount at least one minor unit, at most the order
   */
  record Off(Money discount) implements Worth {}

  /** The coupon does not apply. */
  record Nothing(Reason reason) implements Worth {

    /** Why a coupon does not apply to an order. */
    public enum Reason {
      /** The order is below the coupon's minimum, or too small for a minor unit of discount. */
      BELOW_MINIMUM,
      /** The order is in another currency. */
      WRONG_CURRENCY
    }
  }
}
