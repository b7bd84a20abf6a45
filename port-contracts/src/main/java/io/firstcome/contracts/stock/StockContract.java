package io.firstcome.contracts.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.stock.StockScenario.address;
import static io.firstcome.contracts.stock.StockScenario.user;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;

/** What the contracts of the stock have in common: a backend that is empty. */
abstract class StockContract {

  /** Entries that the log of the backend under test takes before it is full. */
  protected static final int LOG_CAP = 5;

  StockBackend backend;
  CouponStock stock;

  /** An empty backend whose log is full at {@link #LOG_CAP} entries. */
  protected abstract StockBackend emptyBackend();

  @BeforeEach
  void beginWithAnEmptyBackend() {
    backend = emptyBackend();
    stock = backend.stock();
  }

  /** The coupon as a recovery into the next epoch leaves it. */
  StockAddress recoveredAs(Coupon coupon, int next, Map<UserId, LedgerMark> marks, int... free) {
    var recovery = backend.recovery();
    var epoch = recovery.fence(coupon.partition()).epoch().next();
    var address = address(coupon, epoch);
    recovery.begin(coupon.partition(), epoch);
    if (!marks.isEmpty()) {
      recovery.putMarks(address, marks);
    }
    recovery.clearFree(address);
    if (free.length > 0) {
      recovery.addFree(address, Arrays.stream(free).mapToObj(Slot::new).toList());
    }
    recovery.ready(address, StockTerms.of(coupon), next);
    recovery.open(coupon.partition(), epoch);
    return address;
  }

  static LateClaim late(Coupon coupon, String user, int promised) {
    return new LateClaim(
        coupon.id(),
        new UserId(user),
        new Slot(promised),
        coupon.partition(),
        CouponFixtures.ACCEPTED_AT);
  }

  static Partition partition() {
    return aCoupon().build().partition();
  }

  void claimWithin(StockAddress address, Duration within) {
    try {
      stock.claim(address, List.of(new Claim(user("ann"))), within).toCompletableFuture().join();
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
