package io.firstcome.domain.usercoupon;

import static io.firstcome.domain.usercoupon.Wallet.END;
import static io.firstcome.domain.usercoupon.Wallet.EUR;
import static io.firstcome.domain.usercoupon.Wallet.ORDER;
import static io.firstcome.domain.usercoupon.Wallet.OTHER_ORDER;
import static io.firstcome.domain.usercoupon.Wallet.TIME;
import static io.firstcome.domain.usercoupon.Wallet.redemption;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.usercoupon.Offer.Applicable;
import io.firstcome.domain.usercoupon.Offer.NotApplicable;
import io.firstcome.domain.usercoupon.Offer.Reason;
import io.firstcome.domain.usercoupon.UserCoupon.Held;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Currency;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Quotes of random user coupons on random orders, against a second implementation of the terms. */
class AnyQuoteTest {

  private static final Currency JPY = Currency.getInstance("JPY");
  private static final int CASES = 300;

  private final Wallet wallet = new Wallet();

  @ParameterizedTest
  @ValueSource(longs = {3, 4_713, 20_260_503})
  void no_coupon_of_any_wallet_is_better_than_the_best_on_any_order(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < CASES; i++) {
      var userCoupons = anyUserCoupons(random);
      var order = anyMoney(random);
      var offers =
          new ArrayList<>(userCoupons.stream().map(one -> wallet.offer(one, order)).toList());
      var quote = new Quote(order, offers);

      assertThat(quote.offers())
          .as("seed %d, case %d: %s", seed, i, order)
          .containsExactlyInAnyOrderElementsOf(offers);
      offers.forEach(one -> assertExact(one, order));
      assertBestFirst(quote);
      Collections.shuffle(offers, random);
      assertThat(new Quote(order, offers)).isEqualTo(quote);
    }
  }

  private List<UserCoupon> anyUserCoupons(Random random) {
    var userCoupons = new ArrayList<UserCoupon>();
    int size = random.nextInt(12);
    for (int i = 0; i < size; i++) {
      var money = anyMoney(random);
      var issued =
          wallet.issued(
              "COUPON-" + i,
              anyDiscount(random, money.currency()),
              random.nextBoolean() ? null : anyMoney(random, money.currency()),
              TIME.plusMillis(random.nextInt(3)),
              END.plusMillis(random.nextInt(3)));
      userCoupons.add(anyState(random, issued));
    }
    return userCoupons;
  }

  private static UserCoupon anyState(Random random, Issued issued) {
    return switch (random.nextInt(10)) {
      case 0 -> issued.expire();
      case 1 -> issued.hold(redemption(ORDER), END);
      case 2 -> issued.hold(redemption(OTHER_ORDER), END);
      case 3 -> issued.use(redemption(ORDER), TIME);
      case 4 -> issued.giveBack(TIME, true);
      case 5 -> issued.revoke("fraud", TIME, true);
      default -> issued;
    };
  }

  private static Discount anyDiscount(Random random, Currency currency) {
    var money = new Money(1 + anyMoney(random).minorUnits() / 2, currency);
    return random.nextBoolean()
        ? new Discount.Amount(money)
        : new Discount.Percent(
            random.nextInt(1, 10_001), currency, random.nextBoolean() ? money : null);
  }

  /** Small ones, so that discounts are often equal, and the largest. */
  private static Money anyMoney(Random random) {
    return anyMoney(random, random.nextInt(4) == 0 ? JPY : EUR);
  }

  private static Money anyMoney(Random random, Currency currency) {
    return new Money(random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63), currency);
  }

  /** Checks the offer with a second implementation of the terms. */
  private void assertExact(Offer offer, Money order) {
    var now = offer.userCoupon();
    var definition = wallet.coupon(now.couponId()).definition();
    var minimum = definition.minimumOrder();
    boolean isUsable =
        now instanceof Issued
            || (now instanceof Held held && held.redemption().orderId().equals(ORDER));
    if (!isUsable) {
      assertThat(offer).isEqualTo(new NotApplicable(now, Reason.NOT_USABLE));
    } else if (!definition.discount().currency().equals(order.currency())) {
      assertThat(offer).isEqualTo(new NotApplicable(now, Reason.WRONG_CURRENCY));
    } else if (exactDiscount(definition.discount(), order).signum() == 0
        || (minimum != null && order.minorUnits() < minimum.minorUnits())) {
      assertThat(offer).isEqualTo(new NotApplicable(now, Reason.BELOW_MINIMUM));
    } else {
      long discount = exactDiscount(definition.discount(), order).longValueExact();
      assertThat(offer).isEqualTo(new Applicable(now, new Money(discount, order.currency())));
    }
  }

  private static BigInteger exactDiscount(Discount discount, Money order) {
    var whole = BigInteger.valueOf(order.minorUnits());
    return switch (discount) {
      case Discount.Amount(Money money) -> whole.min(BigInteger.valueOf(money.minorUnits()));
      case Discount.Percent(int basisPoints, _, var cap) -> {
        var share =
            whole.multiply(BigInteger.valueOf(basisPoints)).divide(BigInteger.valueOf(10_000));
        yield cap == null ? share : share.min(BigInteger.valueOf(cap.minorUnits()));
      }
    };
  }

  private static void assertBestFirst(Quote quote) {
    var applicable = quote.offers().stream().takeWhile(Applicable.class::isInstance).toList();
    assertThat(quote.offers().subList(applicable.size(), quote.offers().size()))
        .allMatch(NotApplicable.class::isInstance);
    if (applicable.isEmpty()) {
      assertThat(quote.best()).isEmpty();
      return;
    }
    var best = quote.best().orElseThrow();
    assertThat(best.discount().minorUnits()).isBetween(1L, quote.order().minorUnits());
    for (int i = 0; i < applicable.size(); i++) {
      var one = (Applicable) applicable.get(i);
      assertThat(isBetter(one, best)).as("%s than %s", one, best).isFalse();
      if (i > 0) {
        assertThat(isBetter(one, (Applicable) applicable.get(i - 1))).isFalse();
      }
    }
  }

  private static boolean isBetter(Applicable one, Applicable other) {
    if (!one.discount().equals(other.discount())) {
      return other.discount().isLessThan(one.discount());
    }
    var expiry = one.userCoupon().ownership().expiresAt();
    var otherExpiry = other.userCoupon().ownership().expiresAt();
    return expiry.equals(otherExpiry)
        ? one.userCoupon().id().toString().compareTo(other.userCoupon().id().toString()) < 0
        : expiry.isBefore(otherExpiry);
  }
}
