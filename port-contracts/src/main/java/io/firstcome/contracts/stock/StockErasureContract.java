package io.firstcome.contracts.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.campaign;
import static io.firstcome.contracts.CouponFixtures.pseudonymOf;
import static io.firstcome.contracts.stock.StockScenario.alreadyIssued;
import static io.firstcome.contracts.stock.StockScenario.claim;
import static io.firstcome.contracts.stock.StockScenario.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockLevel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every stock does with claims of users who were erased. */
public abstract class StockErasureContract<B extends StockUnderTest> extends StockContract<B> {

  private static final ClaimOutcome RETURNED = new ClaimOutcome.Returned();

  @Test
  void the_ledger_has_the_pseudonym_in_place_of_the_user() {
    var coupon = define(aCoupon().withTotal(3));
    claim(stock, coupon, "ann", "bob");

    backend.erase(coupon, user("ann"));

    assertThat(stock.find(coupon, user("ann"))).isEmpty();
    assertThat(stock.find(coupon, pseudonymOf(user("ann"))))
        .contains(new LedgerMark.Holds(new Slot(1)));
    assertThat(stock.find(coupon, user("bob"))).contains(new LedgerMark.Holds(new Slot(2)));
  }

  @Test
  void an_erased_user_cannot_claim_again_and_others_can() {
    var coupon = define(aCoupon().withTotal(3));
    claim(stock, coupon, "ann", "bob");
    backend.erase(coupon, user("ann"));

    assertThat(claim(stock, coupon, "ann", "bob", "cy", "ann"))
        .containsExactly(RETURNED, alreadyIssued(2), won(3), RETURNED);

    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(3, 0, 4));
  }

  @Test
  void a_call_without_pseudonyms_has_no_effect_after_an_erasure() {
    var coupon = define(aCoupon().withTotal(3));
    claim(stock, coupon, "ann");
    var without = List.of(new Claim(user("ann"), null), new Claim(user("bob"), null));
    backend.erase(coupon, user("ann"));

    assertThat(stock.claim(coupon, null, without, StockScenario.SOON).toCompletableFuture().join())
        .containsExactly(new ClaimOutcome.Repeat(), new ClaimOutcome.Repeat());

    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(3, 2, 2));
    assertThat(stock.find(coupon, user("bob"))).isEmpty();
  }

  @Test
  void an_erased_user_is_refused_in_the_same_way_after_sell_out() {
    var coupon = define(aCoupon().withTotal(1));
    claim(stock, coupon, "ann");
    backend.erase(coupon, user("ann"));

    assertThat(claim(stock, coupon, "ann", "bob"))
        .containsExactly(RETURNED, new ClaimOutcome.SoldOut());
  }

  @Test
  void a_repeated_erasure_has_no_effect() {
    var coupon = define(aCoupon().withTotal(2));
    claim(stock, coupon, "ann");
    backend.erase(coupon, user("ann"));

    backend.erase(coupon, user("ann"));

    assertThat(claim(stock, coupon, "ann", "bob")).containsExactly(RETURNED, won(2));
  }

  @Test
  void the_erasure_of_a_user_without_a_mark_has_no_effect() {
    var coupon = define(aCoupon().withTotal(2));

    backend.erase(coupon, user("ann"));

    assertThat(claim(stock, coupon, "ann")).containsExactly(won(1));
  }

  @Test
  void a_user_who_returned_the_coupon_cannot_claim_again_after_the_erasure() {
    var coupon = define(aCoupon().withTotal(2).returningToStock());
    claim(stock, coupon, "ann", "bob");
    giveBack(coupon, "ann", 1, 1);

    backend.erase(coupon, user("ann"));

    assertThat(claim(stock, coupon, "ann", "cy")).containsExactly(RETURNED, won(1));
  }

  @Test
  void the_slot_of_an_erased_user_can_go_back_to_stock() {
    var coupon = define(aCoupon().withTotal(1).returningToStock());
    claim(stock, coupon, "ann");
    backend.erase(coupon, user("ann"));

    assertThat(backend.giveBack(coupon, pseudonymOf(user("ann")), new Slot(1), 1))
        .isEqualTo(new ReleaseOutcome.Released());

    assertThat(claim(stock, coupon, "ann", "bob")).containsExactly(RETURNED, won(1));
  }

  @Test
  void a_user_whose_claim_was_rejected_is_refused_as_before() {
    var coupon = aCoupon().withTotal(1).build();
    var address = backend.define(coupon);
    claim(stock, address, "bob");
    assertThat(stock.adopt(address, List.of(late(coupon, "ann", 1))))
        .containsExactly(new AdoptOutcome.Rejected());

    backend.erase(address, user("ann"));

    assertThat(stock.find(address, user("ann"))).isEmpty();
    assertThat(claim(stock, address, "ann")).containsExactly(new ClaimOutcome.Rejected());
  }

  @Test
  void the_coupon_of_an_erased_user_counts_for_the_limit_of_the_campaign() {
    var one = campaign(1, "SHOES", "SHIRTS");
    var shoes = backend.define(aCoupon().withId("SHOES").inCampaign(one).build());
    var shirts = backend.define(aCoupon().withId("SHIRTS").inCampaign(one).build());
    StockScenario.claim(stock, shoes, one, List.of("ann"));

    stock.expectPseudonyms(shirts);
    backend.erase(shoes, user("ann"));

    assertThat(StockScenario.claim(stock, shirts, one, List.of("ann", "bob")))
        .containsExactly(new ClaimOutcome.CampaignLimit(), won(1));
    assertThat(StockScenario.claim(stock, shoes, one, List.of("ann"))).containsExactly(RETURNED);
  }
}
