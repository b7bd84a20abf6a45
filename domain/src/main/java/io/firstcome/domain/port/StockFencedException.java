package io.firstcome.domain.port;

/**
 * The stock backend refused the call because the partition is not open in the caller's epoch, or
 * the coupon has no stock. Nothing happened; a recovery, or reading the epoch again, solves it.
 */
public final class StockFencedException extends StockUnavailableException {

  private static final long serialVersionUID = 1L;

  public StockFencedException(String message) {
    super(Effect.NONE, message, null);
  }
}
