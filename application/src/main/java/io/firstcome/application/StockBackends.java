package io.firstcome.application;

import io.firstcome.domain.coupon.StockBackend;
import java.util.Set;

/**
 * The backends of this deployment.
 *
 * @param usual that of a new coupon whose definition names none
 * @param present all that it has
 */
public record StockBackends(StockBackend usual, Set<StockBackend> present) {

  public StockBackends {
    present = Set.copyOf(present);
    if (!present.contains(usual)) {
      throw new IllegalArgumentException("usual must be present: " + usual);
    }
  }

  /** All there are, with this one as the usual one. */
  public static StockBackends allWithUsual(StockBackend usual) {
    return new StockBackends(usual, Set.of(StockBackend.values()));
  }

  /** This one alone. */
  public static StockBackends only(StockBackend backend) {
    return new StockBackends(backend, Set.of(backend));
  }
}
