package io.firstcome.domain.port;

/**
 * The stock backend refused the call because the partition is not open in the caller's epoch, or
 * the coupon's stock is not there. Nothing happened; recovery, or reading the epoch anew, is the
 * remedy.
 */
public final class StockFencedException extends StockUnavailableException {

  private static final long serialVersionUID = 1L;

  public StockFencedException(String message) {
    super(Effect.NONE, message, null);
  }
}
