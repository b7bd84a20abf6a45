package io.firstcome.adapter.persistence.session;

/**
 * The most connections that each kind of caller uses at a time. Those of claims and of background
 * work are the connections of the data source itself.
 *
 * @param customers of requests of customers other than claims
 * @param shops of redemptions by shops
 * @param operators of calls of operators
 * @param console of the console
 */
public record PoolLimits(int customers, int shops, int operators, int console) {

  /** The values for production. */
  public static PoolLimits defaults() {
    return new PoolLimits(8, 8, 4, 4);
  }
}
