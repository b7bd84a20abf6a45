package io.firstcome.benchmark.lab.strategy;

/** The answer to a claim. A user without an answer may have a coupon or not. */
public enum StrategyAnswer {
  /** The user got the coupon. */
  WON,
  /** The user got the coupon by an earlier claim. */
  ALREADY,
  /** No slot is left. */
  SOLD_OUT
}
