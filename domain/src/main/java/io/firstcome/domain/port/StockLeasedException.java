package io.firstcome.domain.port;

/**
 * The call would give a mark in the ledger to a user whose claims other instances may refuse under
 * a {@link io.firstcome.domain.issuance.SoldOutLease}. It had no effect, and succeeds after the
 * lease was ended.
 */
public final class StockLeasedException extends StockUnavailableException {

  private static final long serialVersionUID = 1L;

  public StockLeasedException() {
    super(Effect.NONE, "leases on sold out are not over", null);
  }
}
