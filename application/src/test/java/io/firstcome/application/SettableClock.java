package io.firstcome.application;

import io.firstcome.contracts.CouponFixtures;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is told to go on, by one thread; any may read it. */
final class SettableClock implements InstantSource {

  private volatile Instant now = CouponFixtures.ACCEPTED_AT;

  @Override
  public Instant instant() {
    return now;
  }

  void advance(Duration by) {
    now = now.plus(by);
  }
}
