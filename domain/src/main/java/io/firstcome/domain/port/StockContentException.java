package io.firstcome.domain.port;

/**
 * The stock backend cannot use its data of one coupon, such as a key of another type. The call may
 * have had a part of its effect. Other coupons are not affected.
 */
public final class StockContentException extends StockUnavailableException {

  private static final long serialVersionUID = 1L;

  public StockContentException(String message, Throwable cause) {
    super(Effect.UNKNOWN, message, cause);
  }
}
