package io.firstcome.domain.usercoupon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.CodeSource;
import io.firstcome.domain.shop.CodeSource.Kind;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import java.util.Currency;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RedeemerTest {

  private static final ShopId BERLIN = new ShopId("berlin");
  private static final Redeemer OWNER = new Redeemer.Owner(new UserId("ann"));
  private static final Redeemer SHOP = new Redeemer.Shop(BERLIN, new UserId("till-7"));
  private static final Redeemer OTHER_SHOP = new Redeemer.Shop(new ShopId("london"), null);
  private static final Redeemer OPERATOR = new Redeemer.Operator(new UserId("olga"));

  private static Redemption by(@Nullable ShopId shop) {
    var eur = Currency.getInstance("EUR");
    return new Redemption(new OrderId("o"), new Money(2_000, eur), new Money(500, eur), shop);
  }

  @Test
  void a_redemption_is_ended_by_who_has_made_it_and_by_operators() {
    for (var redeemer : List.of(OWNER, OPERATOR)) {
      assertThat(redeemer.mayEnd(by(null))).isTrue();
    }
    for (var redeemer : List.of(SHOP, OPERATOR)) {
      assertThat(redeemer.mayEnd(by(BERLIN))).isTrue();
    }
    assertThat(SHOP.mayEnd(by(null))).isFalse();
    for (var redeemer : List.of(OWNER, OTHER_SHOP)) {
      assertThat(redeemer.mayEnd(by(BERLIN))).isFalse();
    }
  }

  @Test
  void the_audit_names_the_shop_and_who_uses_the_till() {
    assertThat(SHOP.actor()).isEqualTo(new Actor(Actor.Kind.SHOP, "berlin/till-7"));
    assertThat(OTHER_SHOP.actor()).isEqualTo(new Actor(Actor.Kind.SHOP, "london"));
  }

  @Test
  void sources_of_codes_have_different_keys() {
    assertThat(
            List.of(
                CodeSource.of(BERLIN).key(),
                new CodeSource(BERLIN, Kind.CUSTOMER, "ann").key(),
                new CodeSource(BERLIN, Kind.ADDRESS, "ann").key(),
                new CodeSource(new ShopId("london"), Kind.CUSTOMER, "ann").key()))
        .doesNotHaveDuplicates();
  }

  @Test
  void invalid_ids_are_refused() {
    for (var wrong : List.of("", "a b", "a/b", "a".repeat(65), "\u00fc")) {
      assertThatIllegalArgumentException().isThrownBy(() -> new ShopId(wrong));
    }
    for (var wrong : List.of("", "a b", "a".repeat(129), "\u00fc", "a\n")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new CodeSource(BERLIN, Kind.CUSTOMER, wrong));
    }
  }
}
