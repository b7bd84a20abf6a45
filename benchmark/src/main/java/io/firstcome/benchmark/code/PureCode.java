package io.firstcome.benchmark.code;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.coupon.Worth;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.usercoupon.Offer;
import io.firstcome.domain.usercoupon.Ownership;
import io.firstcome.domain.usercoupon.Quote;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** JMH benchmarks of the domain code in a claim and in the search for the best coupon. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PureCode {

  private static final Currency EUR = Currency.getInstance("EUR");
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final int WALLET = 50;

  // Not final: the compiler would evaluate constants only once.
  private String couponId = "WELCOME-2026";
  private String userId = "6f1c0c4e-7a53-4a5f-9a38-2f6f0e4a9b11";
  private Money order = new Money(12_345, EUR);
  private CodeKeys codeKeys = new CodeKeys(Map.of(1, new byte[CodeKeys.MIN_KEY_BYTES]), 1);
  private CouponId coupon = new CouponId(couponId);
  private UserId user = new UserId(userId);
  private OrderId orderId = new OrderId("ORDER-1");
  private Coupon terms = coupon(couponId);
  private List<UserCoupon> wallet = IntStream.rangeClosed(1, WALLET).mapToObj(this::owned).toList();

  private static Coupon coupon(String id) {
    var definition =
        new CouponDefinition(
            new CouponId(id),
            "Benchmark",
            WALLET,
            new Discount.Percent(1_500, EUR, new Money(1_000, EUR)),
            new Money(2_000, EUR),
            new IssuanceWindow(NOW, NOW.plus(Duration.ofDays(1))),
            new Validity.Days(30),
            false,
            null,
            null);
    return Coupon.define(definition, new Partition(0), 1, StockBackend.REDIS);
  }

  private UserCoupon owned(int slot) {
    var owner =
        new Ownership(
            codeKeys.identityOf(1, coupon, new UserId("user-" + slot)),
            user,
            new Slot(slot),
            1,
            NOW,
            NOW.plus(Duration.ofDays(slot)),
            1);
    return new UserCoupon.Issued(owner, 1);
  }

  /** Checks the user id of a request. */
  @Benchmark
  public UserId userId() {
    return new UserId(userId);
  }

  /** Checks the coupon id of a request. */
  @Benchmark
  public CouponId couponId() {
    return new CouponId(couponId);
  }

  /**
   * Derives the id and the code of a user coupon: done once for the answer, and once for the row.
   */
  @Benchmark
  public UserCouponIdentity identity() {
    return codeKeys.identityOf(1, coupon, user);
  }

  /** Computes the worth of one coupon on an order. */
  @Benchmark
  public Worth worth() {
    return terms.worthOn(order);
  }

  /** Finds the best coupon in a wallet of fifty. */
  @Benchmark
  public Quote quoteOfFifty() {
    return new Quote(
        order,
        wallet.stream().map(each -> Offer.of(each.at(NOW), orderId, order, id -> terms)).toList());
  }
}
