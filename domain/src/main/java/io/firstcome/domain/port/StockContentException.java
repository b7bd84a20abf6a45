package io.firstcome.domain.port;

/**
 * The stock backend answered that it cannot work with what it holds of one coupon, such as a key of
 * another type. It may have happened in part. Other coupons are not affected.
 */
public final class StockContentException extends StockUnavailableException {

  private static final long serialVersionUID = 1L;

  public StockContentException(String message, Throwable cause) {
    super(Effect.UNKNOWN, message, cause);
  }
}
