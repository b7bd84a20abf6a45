package io.firstcome.domain.coupon;

/** The store that has the stock of a coupon; fixed when the coupon is defined. */
public enum StockBackend {
  /** Redis decides claims, and their rows are written later. */
  REDIS,
  /** PostgreSQL decides claims: the rows themselves are the stock. */
  POSTGRES
}
