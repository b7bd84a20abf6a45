package io.firstcome.application.stock;

import io.firstcome.domain.coupon.StockBackend;
import java.util.Set;

/**
 * The stock backends of this deployment.
 *
 * @param usual the backend of a new coupon whose definition names none
 * @param present all backends of the deployment
 */
public record StockBackends(StockBackend usual, Set<StockBackend> present) {

  public StockBackends {
    present = Set.copyOf(present);
    if (!present.contains(usual)) {
      throw new IllegalArgumentException("usual must be present: " + usual);
    }
  }

  /** All backends, with this one as the usual one. */
  public static StockBackends allWithUsual(StockBackend usual) {
    return new StockBackends(usual, Set.of(StockBackend.values()));
  }

  /** This backend alone. */
  public static StockBackends only(StockBackend backend) {
    return new StockBackends(backend, Set.of(backend));
  }
}
