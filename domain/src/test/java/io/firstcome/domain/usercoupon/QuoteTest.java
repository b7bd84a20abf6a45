package io.firstcome.domain.usercoupon;

import static io.firstcome.domain.usercoupon.Wallet.END;
import static io.firstcome.domain.usercoupon.Wallet.ORDER;
import static io.firstcome.domain.usercoupon.Wallet.OTHER_ORDER;
import static io.firstcome.domain.usercoupon.Wallet.TIME;
import static io.firstcome.domain.usercoupon.Wallet.eur;
import static io.firstcome.domain.usercoupon.Wallet.redemption;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.usercoupon.Offer.Applicable;
import io.firstcome.domain.usercoupon.Offer.NotApplicable;
import io.firstcome.domain.usercoupon.Offer.Reason;
import io.firstcome.domain.usercoupon.UserCoupon.Expired;
import java.util.Currency;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuoteTest {

  private final Wallet wallet = new Wallet();

  private Quote quote(Money order, UserCoupon... userCoupons) {
    return new Quote(
        order, List.of(userCoupons).stream().map(one -> wallet.offer(one, order)).toList());
  }

  private static List<String> names(Quote quote) {
    return quote.offers().stream().map(one -> one.userCoupon().couponId().value()).toList();
  }

  @Test
  void the_highest_discount_is_best_and_the_others_follow() {
    var quote =
        quote(
            eur(3_000),
            wallet.issued("TWO", 200),
            wallet.issued("NINE", 900),
            wallet.issued("FIVE", 500));

    assertThat(quote.best()).contains(new Applicable(wallet.issued("NINE", 900), eur(900)));
    assertThat(names(quote)).containsExactly("NINE", "FIVE", "TWO");
  }

  @Test
  void equal_discounts_are_sorted_by_expiry_and_then_by_id() {
    var discount = new Discount.Amount(eur(500));
    var quote =
        quote(
            eur(3_000),
            wallet.issued("LATE", discount, null, TIME, END.plusMillis(1)),
            wallet.issued("SOON-B", discount, null, TIME, END),
            wallet.issued("SOON-A", discount, null, TIME.minusSeconds(9), END));

    assertThat(names(quote)).containsExactly("SOON-A", "SOON-B", "LATE");
  }

  @Test
  void discounts_above_the_order_are_equal() {
    var quote =
        quote(
            eur(300),
            wallet.issued("LARGE", new Discount.Amount(eur(900)), null, TIME, END.plusMillis(1)),
            wallet.issued("SMALL", new Discount.Amount(eur(300)), null, TIME, END));

    assertThat(names(quote)).containsExactly("SMALL", "LARGE");
    assertThat(quote.offers()).allMatch(one -> ((Applicable) one).discount().equals(eur(300)));
  }

  @Test
  void user_coupons_that_do_not_apply_come_last_and_newest_first() {
    var old = wallet.issued("OLD", 500).expire();
    var discount = new Discount.Amount(eur(500));
    var newer = wallet.issued("NEWER", discount, eur(9_999), TIME.plusMillis(1), END);
    var tie = wallet.issued("A-TIE", discount, eur(9_999), TIME, END);

    assertThat(names(quote(eur(3_000), old, newer, tie, wallet.issued("GOOD", 1))))
        .containsExactly("GOOD", "NEWER", "A-TIE", "OLD");
    assertThat(quote(eur(3_000), old, newer).best()).isEmpty();
    assertThat(quote(eur(3_000)).offers()).isEmpty();
  }

  @Test
  void only_issued_user_coupons_and_those_held_for_the_order_are_applicable() {
    var issued = wallet.issued("COUPON", 500);
    var unusable =
        List.of(
            issued.hold(redemption(OTHER_ORDER), END),
            issued.use(redemption(ORDER), TIME),
            issued.use(redemption(OTHER_ORDER), TIME),
            new UserCoupon.Issued(issued.ownership(), UserCoupon.Issued.MAX_STEPS + 1),
            issued.expire(),
            issued.giveBack(TIME, false),
            issued.revoke("fraud", TIME, false));

    assertThat(wallet.offer(issued, eur(3_000))).isEqualTo(new Applicable(issued, eur(500)));
    var held = issued.hold(redemption(ORDER), END);
    assertThat(wallet.offer(held, eur(3_000))).isEqualTo(new Applicable(held, eur(500)));
    for (var one : unusable) {
      assertThat(wallet.offer(one, eur(3_000)))
          .isEqualTo(new NotApplicable(one, Reason.NOT_USABLE));
    }
  }

  @Test
  void each_reason_is_reported_and_the_state_takes_precedence() {
    var issued = wallet.issued("COUPON", new Discount.Amount(eur(500)), eur(2_000), TIME, END);
    var yen = new Money(1_000, Currency.getInstance("JPY"));

    assertThat(wallet.offer(issued, eur(1_999)))
        .isEqualTo(new NotApplicable(issued, Reason.BELOW_MINIMUM));
    assertThat(wallet.offer(issued, eur(2_000))).isEqualTo(new Applicable(issued, eur(500)));
    assertThat(wallet.offer(issued, yen))
        .isEqualTo(new NotApplicable(issued, Reason.WRONG_CURRENCY));
    for (var order : List.of(eur(1_999), yen)) {
      var expired = issued.expire();
      assertThat(wallet.offer(expired, order))
          .isEqualTo(new NotApplicable(expired, Reason.NOT_USABLE));
    }
  }

  @Test
  void a_discount_above_the_order_is_an_illegal_argument() {
    var tooMuch = new Applicable(wallet.issued("COUPON", 500), eur(101));
    var nothing = new Applicable(wallet.issued("COUPON", 500), eur(0));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Quote(eur(100), List.of(tooMuch)))
        .withMessageContaining("101");
    assertThatIllegalArgumentException().isThrownBy(() -> new Quote(eur(100), List.of(nothing)));
  }

  @Test
  void a_user_coupon_after_its_validity_is_quoted_as_expired() {
    var issued = wallet.issued("COUPON", 500);

    assertThat(wallet.offer(issued.at(END), eur(3_000)))
        .isEqualTo(new NotApplicable(new Expired(issued.ownership(), 1), Reason.NOT_USABLE));
  }
}
