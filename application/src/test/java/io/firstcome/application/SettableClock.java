package io.firstcome.application;

import io.firstcome.contracts.CouponFixtures;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that changes only when it is set. One thread may set it, any thread may read it. */
public final class SettableClock implements InstantSource {

  private volatile Instant now = CouponFixtures.ACCEPTED_AT;

  @Override
  public Instant instant() {
    return now;
  }

  public void set(Instant time) {
    now = time;
  }

  public void advance(Duration by) {
    now = now.plus(by);
  }
}
