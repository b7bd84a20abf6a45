package io.firstcome.domain.coupon;

/** Where the stock of a coupon lives, fixed when the coupon is defined. */
public enum StockBackend {
  /** Redis decides, and the rows follow. */
  REDIS,
  /** PostgreSQL decides: the rows themselves are the stock. */
  POSTGRES
}
