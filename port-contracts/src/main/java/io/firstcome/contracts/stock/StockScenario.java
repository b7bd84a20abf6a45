package io.firstcome.contracts.stock;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The steps that the contracts of the stock share. */
final class StockScenario {

  static final Epoch FIRST = new Epoch(1);
  static final Duration SOON = Duration.ofSeconds(5);

  private StockScenario() {}

  /** Opens the coupon's partition in the epoch, and creates only this coupon in it. */
  static StockAddress opened(HandoffStockUnderTest backend, Coupon coupon, Epoch epoch) {
    backend.recovery().begin(coupon.partition(), epoch);
    backend.recovery().open(coupon.partition(), epoch);
    var address = address(coupon, epoch);
    backend.stock().create(address, coupon.campaign(), StockTerms.of(coupon));
    return address;
  }

  /** Recovers the coupon into the next epoch with these marks and free slots. */
  static StockAddress recoveredAs(
      HandoffStockUnderTest backend,
      Coupon coupon,
      int next,
      Map<UserId, LedgerMark> marks,
      int... free) {
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
    recovery.ready(address, StockTerms.of(coupon), next, false);
    recovery.open(coupon.partition(), epoch);
    return address;
  }

  static StockAddress address(Coupon coupon, Epoch epoch) {
    return new StockAddress(coupon.id(), coupon.partition(), epoch);
  }

  static List<ClaimOutcome> claim(CouponStock stock, StockAddress address, String... users) {
    return claim(stock, address, Arrays.stream(users).toList());
  }

  static List<ClaimOutcome> claim(CouponStock stock, StockAddress address, List<String> users) {
    return claim(stock, address, null, users);
  }

  static List<ClaimOutcome> claim(
      CouponStock stock, StockAddress address, @Nullable Campaign campaign, List<String> users) {
    var claims = users.stream().map(user -> CouponFixtures.claimOf(new UserId(user))).toList();
    return stock.claim(address, campaign, claims, SOON).toCompletableFuture().join();
  }

  static List<String> users(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> "user-" + i).toList();
  }

  static ClaimOutcome accepted(int slot) {
    return new ClaimOutcome.Accepted(new Slot(slot));
  }

  static ClaimOutcome alreadyIssued(int slot) {
    return new ClaimOutcome.AlreadyIssued(new Slot(slot));
  }

  static UserId user(String id) {
    return new UserId(id);
  }
}
