package io.firstcome.benchmark.lab.strategy;

/** What a user is told. Who is told nothing, for want of an answer, may have a coupon or not. */
public enum Answer {
  /** The coupon is theirs. */
  WON,
  /** They have had it before. */
  ALREADY,
  /** None is left. */
  SOLD_OUT
}
