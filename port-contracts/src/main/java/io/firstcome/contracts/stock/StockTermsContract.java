package io.firstcome.contracts.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.stock.StockScenario.FIRST;
import static io.firstcome.contracts.stock.StockScenario.accepted;
import static io.firstcome.contracts.stock.StockScenario.address;
import static io.firstcome.contracts.stock.StockScenario.alreadyIssued;
import static io.firstcome.contracts.stock.StockScenario.claim;
import static io.firstcome.contracts.stock.StockScenario.opened;
import static io.firstcome.contracts.stock.StockScenario.recoveredAs;
import static io.firstcome.contracts.stock.StockScenario.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.FreezeOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import org.junit.jupiter.api.Test;

/** What every {@link CouponStock} does with the terms of its coupons. */
public abstract class StockTermsContract extends StockWindowContract<HandoffStockUnderTest> {

  @Test
  void a_user_with_a_slot_is_answered_as_already_issued_after_the_close() {
    var coupon = aCoupon().withTotal(1).build();
    opened(backend, coupon, FIRST);
    claim(stock, address(coupon, FIRST), "ann");
    var second = recoveredAs(backend, aCoupon().withTotal(1).closed().build(), 2, new HashMap<>());

    assertThat(claim(stock, second, "ann", "bob"))
        .containsExactly(alreadyIssued(1), new ClaimOutcome.Closed());
  }

  @Test
  void creating_again_changes_nothing() {
    var coupon = aCoupon().withTotal(2).build();
    var address = opened(backend, coupon, FIRST);
    claim(stock, address, "ann");

    stock.create(address, null, StockTerms.of(coupon));

    assertThat(claim(stock, address, "ann", "bob")).containsExactly(alreadyIssued(1), accepted(2));
  }

  @Test
  void creating_with_newer_terms_does_not_change_a_coupon() {
    var address = opened(backend, aCoupon().build(), FIRST);

    stock.create(address, null, StockTerms.of(aCoupon().withRevision(2).closed().build()));

    assertThat(claim(stock, address, "ann")).containsExactly(accepted(1));
  }

  @Test
  void a_coupon_without_stock_is_fenced_until_it_is_created() {
    opened(backend, aCoupon().withId("THERE").build(), FIRST);
    var coupon = aCoupon().withId("ABSENT").withTotal(1).build();
    var absent = address(coupon, FIRST);

    assertFenced(() -> claimWithin(absent, StockScenario.SOON));
    assertFenced(() -> stock.level(absent));
    assertFenced(() ->
        stock.apply(absent, StockTerms.of(aCoupon().withId("ABSENT").withRevision(2).build())));
    assertFenced(() -> stock.release(absent, user("ann"), new Slot(1), 1));

    stock.create(absent, null, StockTerms.of(coupon));
    assertThat(claim(stock, absent, "ann", "bob"))
        .containsExactly(accepted(1), new ClaimOutcome.SoldOut());
  }

  @Test
  void newer_terms_change_the_window() {
    var address = opened(backend, aCoupon().build(), FIRST);
    var opensAt = Instant.parse("2099-01-01T00:00:00.250Z");

    stock.apply(
        address,
        StockTerms.of(aCoupon().withRevision(2).opening(opensAt, opensAt.plusSeconds(60)).build()));

    assertThat(claim(stock, address, "ann")).containsExactly(new ClaimOutcome.NotOpen(opensAt));
  }

  @Test
  void terms_that_are_not_newer_change_nothing() {
    var address = opened(backend, aCoupon().withRevision(9).build(), FIRST);
    stock.apply(address, StockTerms.of(aCoupon().withRevision(10).paused().build()));

    for (int revision : new int[] {1, 9, 10}) {
      stock.apply(address, StockTerms.of(aCoupon().withRevision(revision).build()));
      assertThat(claim(stock, address, "ann")).containsExactly(new ClaimOutcome.Paused());
    }
  }

  @Test
  void during_a_recovery_newer_terms_are_applied_only_to_coupons_that_are_ready() {
    var address = opened(backend, aCoupon().build(), FIRST);
    var second = address(aCoupon().build(), FIRST.next());
    backend.recovery().begin(partition(), second.epoch());
    var paused = StockTerms.of(aCoupon().withRevision(3).paused().build());

    assertFenced(() -> stock.apply(address, paused));
    assertFenced(() -> stock.apply(second, paused));

    backend.recovery().ready(second, StockTerms.of(aCoupon().withRevision(2).build()), 1, false);
    stock.apply(second, StockTerms.of(aCoupon().withRevision(2).closed().build()));
    assertThat(claim(stock, second, "ann")).containsExactly(accepted(1));
    stock.apply(second, paused);
    assertThat(claim(stock, second, "bob")).containsExactly(new ClaimOutcome.Paused());
  }

  /** A caller whose terms are not in force then gets those that are. */
  @Test
  void applying_terms_that_are_not_newer_returns_the_terms_of_the_stock() {
    var terms = StockTerms.of(aCoupon().withRevision(3).build());
    var address = opened(backend, aCoupon().withRevision(3).build(), FIRST);

    for (int revision : new int[] {2, 3}) {
      var other = StockTerms.of(aCoupon().withRevision(revision).closed().build());
      assertThat(stock.apply(address, other)).isEqualTo(terms);
    }
    assertFenced(() -> stock.terms(address(aCoupon().withId("ABSENT").build(), FIRST)));
    assertFenced(() -> stock.terms(address(aCoupon().build(), FIRST.next())));
  }

  @Test
  void a_frozen_coupon_allocates_no_slot_until_it_gets_newer_terms() {
    var address = opened(backend, aCoupon().withRevision(3).build(), FIRST);
    var terms = StockTerms.of(aCoupon().withRevision(3).build());

    assertThat(stock.freeze(address, 3, StockScenario.SOON)).isEqualTo(FreezeOutcome.FROZEN);
    assertThat(stock.freeze(address, 3, StockScenario.SOON)).isEqualTo(FreezeOutcome.FROZEN);
    assertThat(claim(stock, address, "ann")).containsExactly(new ClaimOutcome.Busy());
    assertThat(stock.terms(address)).isEqualTo(terms.frozen());
    assertThat(stock.apply(address, terms)).isEqualTo(terms.frozen());
    assertThat(claim(stock, address, "ann")).containsExactly(new ClaimOutcome.Busy());

    var newer = StockTerms.of(aCoupon().withRevision(4).withTotal(1).build());
    assertThat(stock.apply(address, newer)).isEqualTo(newer);
    assertThat(claim(stock, address, "ann", "bob"))
        .containsExactly(accepted(1), new ClaimOutcome.SoldOut());
  }

  @Test
  void a_coupon_that_was_claimed_is_not_frozen() {
    var address = opened(backend, aCoupon().build(), FIRST);
    claim(stock, address, "ann");

    assertThat(stock.freeze(address, 1, StockScenario.SOON)).isEqualTo(FreezeOutcome.CLAIMED);

    assertThat(claim(stock, address, "bob")).containsExactly(accepted(2));
  }

  @Test
  void a_coupon_of_another_revision_is_not_frozen() {
    var address = opened(backend, aCoupon().withRevision(3).build(), FIRST);

    assertThat(stock.freeze(address, 2, StockScenario.SOON))
        .isEqualTo(FreezeOutcome.OTHER_REVISION);
    assertThat(stock.freeze(address, 4, StockScenario.SOON))
        .isEqualTo(FreezeOutcome.OTHER_REVISION);

    assertThat(claim(stock, address, "ann")).containsExactly(accepted(1));
    assertFenced(
        () -> stock.freeze(address(aCoupon().build(), FIRST.next()), 3, StockScenario.SOON));
    assertFenced(() ->
        stock.freeze(address(aCoupon().withId("ABSENT").build(), FIRST), 1, StockScenario.SOON));
  }

  @Test
  void a_freeze_that_comes_after_its_deadline_has_no_effect() {
    var address = opened(backend, aCoupon().build(), FIRST);

    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() -> stock.freeze(address, 1, Duration.ofSeconds(-10)));

    assertThat(claim(stock, address, "ann")).containsExactly(accepted(1));
  }

  @Test
  void a_recovery_ends_a_freeze() {
    var coupon = aCoupon().build();
    var address = opened(backend, coupon, FIRST);
    stock.freeze(address, 1, StockScenario.SOON);

    var second = recoveredAs(backend, coupon, 1, new HashMap<>());

    assertThat(stock.terms(second)).isEqualTo(StockTerms.of(coupon));
    assertThat(claim(stock, second, "ann")).containsExactly(accepted(1));
  }

  /** Only a restored database has a lower total than the stock. */
  @Test
  void with_a_lower_quantity_no_slot_above_it_is_allocated() {
    var address = opened(backend, aCoupon().withTotal(4).build(), FIRST);
    claim(stock, address, "ann", "bob", "cy", "dan");
    giveBack(address, "ann", 1, 1);
    giveBack(address, "cy", 3, 1);

    stock.apply(address, StockTerms.of(aCoupon().withTotal(2).withRevision(2).build()));
    giveBack(address, "dan", 4, 1);

    assertThat(stock.level(address).free()).isEqualTo(1);
    assertThat(claim(stock, address, "eve", "fay", "dan"))
        .containsExactly(accepted(1), new ClaimOutcome.SoldOut(), new ClaimOutcome.Returned());
  }
}
