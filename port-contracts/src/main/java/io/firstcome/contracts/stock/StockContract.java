package io.firstcome.contracts.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.stock.StockScenario.user;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;

/** The base of the contracts of the stock: each test begins with an empty backend. */
abstract class StockContract<B extends StockUnderTest> {

  /** The number of entries at which the log of the backend under test is full. */
  protected static final int LOG_CAP = 5;

  B backend;
  CouponStock stock;

  /** An empty backend whose log, if it has one, is full at {@link #LOG_CAP} entries. */
  protected abstract B emptyBackend();

  @BeforeEach
  void beginWithAnEmptyBackend() {
    backend = emptyBackend();
    stock = backend.stock();
  }

  /** Defines the coupon, which can be claimed then. */
  StockAddress define(CouponFixtures.CouponBuilder coupon) {
    return backend.define(coupon.build());
  }

  ReleaseOutcome giveBack(StockAddress coupon, String user, int slot, int generation) {
    return backend.giveBack(coupon, user(user), new Slot(slot), generation);
  }

  /** The outcome of a claim that gets this slot. */
  ClaimOutcome won(int slot) {
    return backend.won(new Slot(slot));
  }

  static LateClaim late(Coupon coupon, String user, int promised) {
    return CouponFixtures.lateClaim(coupon, user, promised);
  }

  static Partition partition() {
    return aCoupon().build().partition();
  }

  void claimWithin(StockAddress address, Duration within) {
    try {
      stock
          .claim(address, null, List.of(CouponFixtures.claimOf(user("ann"))), within)
          .toCompletableFuture()
          .join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StockUnavailableException unavailable) {
        throw unavailable;
      }
      throw e;
    }
  }

  static void assertFenced(ThrowingCallable call) {
    assertThatExceptionOfType(StockFencedException.class).isThrownBy(call);
  }
}
