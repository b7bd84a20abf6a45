package io.firstcome.contracts.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.stock.StockScenario.address;
import static io.firstcome.contracts.stock.StockScenario.alreadyIssued;
import static io.firstcome.contracts.stock.StockScenario.claim;
import static io.firstcome.contracts.stock.StockScenario.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockLevel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every stock does with returned slots, and with late claims. */
public abstract class StockReturnsContract<B extends StockUnderTest> extends StockContract<B> {

  private static final ReleaseOutcome RELEASED = new ReleaseOutcome.Released();
  private static final ReleaseOutcome NOT_HELD = new ReleaseOutcome.NotHeld();
  private static final ClaimOutcome SOLD_OUT = new ClaimOutcome.SoldOut();

  private static CouponFixtures.CouponBuilder aReturnableCoupon() {
    return aCoupon().returningToStock();
  }

  @Test
  void a_released_slot_is_allocated_again_and_its_former_owner_is_answered_as_returned() {
    var coupon = define(aReturnableCoupon().withTotal(3));
    claim(stock, coupon, "ann", "bob", "cy", "dee");

    assertThat(giveBack(coupon, "bob", 2, 1)).isEqualTo(RELEASED);

    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(3, 1, 4));
    assertThat(stock.find(coupon, user("bob"))).contains(new LedgerMark.GaveBack(new Slot(2)));
    assertThat(claim(stock, coupon, "bob", "dee", "eve"))
        .containsExactly(new ClaimOutcome.Returned(), won(2), new ClaimOutcome.SoldOut());
  }

  @Test
  void a_slot_is_released_in_any_status() {
    var coupon = define(aReturnableCoupon());
    claim(stock, coupon, "ann");
    backend.change(coupon, aReturnableCoupon().withRevision(2).closed().build());

    assertThat(giveBack(coupon, "ann", 1, 1)).isEqualTo(RELEASED);
  }

  @Test
  void a_slot_is_released_once_by_repeated_calls() {
    var coupon = define(aReturnableCoupon().withTotal(5));
    claim(stock, coupon, "ann", "bob");

    assertThat(giveBack(coupon, "ann", 1, 1)).isEqualTo(RELEASED);
    assertThat(giveBack(coupon, "ann", 1, 1)).isEqualTo(NOT_HELD);
    assertThat(giveBack(coupon, "ann", 1, 1)).isEqualTo(NOT_HELD);

    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(5, 4, 3));
  }

  @Test
  void a_repeated_release_after_the_slot_was_allocated_again_has_no_effect() {
    var coupon = define(aReturnableCoupon().withTotal(1));
    claim(stock, coupon, "ann");
    giveBack(coupon, "ann", 1, 1);
    assertThat(claim(stock, coupon, "bob")).containsExactly(won(1));

    assertThat(giveBack(coupon, "ann", 1, 1)).isEqualTo(NOT_HELD);
    assertThat(giveBack(coupon, "ann", 1, 2)).isEqualTo(NOT_HELD);

    assertThat(claim(stock, coupon, "bob", "cy"))
        .containsExactly(alreadyIssued(1), new ClaimOutcome.SoldOut());
  }

  @Test
  void returned_slots_are_allocated_before_new_slots_and_lowest_first() {
    var coupon = define(aReturnableCoupon().withTotal(6));
    claim(stock, coupon, "ann", "bob", "cy", "dee");
    giveBack(coupon, "dee", 4, 1);
    giveBack(coupon, "bob", 2, 1);

    assertThat(stock.returned(coupon, null, 1)).containsExactly(new Slot(2));
    assertThat(stock.returned(coupon, new Slot(2), 9)).containsExactly(new Slot(4));
    assertThat(claim(stock, coupon, "eve", "fay", "gil")).containsExactly(won(2), won(4), won(5));
    assertThat(stock.returned(coupon, null, 9)).isEmpty();
    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(6, 1, 6));
  }

  @Test
  void each_owner_of_a_slot_can_return_it_once() {
    var coupon = define(aReturnableCoupon().withTotal(1));
    for (int generation = 1; generation <= 3; generation++) {
      var holder = "user-" + generation;
      assertThat(claim(stock, coupon, holder, "late")).containsExactly(won(1), SOLD_OUT);
      assertThat(giveBack(coupon, holder, 1, generation)).isEqualTo(RELEASED);
      assertThat(giveBack(coupon, holder, 1, generation)).isEqualTo(NOT_HELD);
    }
    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(1, 1, 2));
  }

  @Test
  void a_user_cannot_return_a_slot_that_they_do_not_own() {
    var coupon = define(aReturnableCoupon().withTotal(3));
    claim(stock, coupon, "ann", "bob");

    assertThat(stock.release(coupon, user("bob"), new Slot(1), 1)).isEqualTo(NOT_HELD);
    assertThat(stock.release(coupon, user("nobody"), new Slot(3), 1)).isEqualTo(NOT_HELD);

    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(3, 1, 3));
  }

  @Test
  void a_late_claim_in_any_status_gets_its_own_or_promised_slot_or_the_lowest_free_or_none() {
    var coupon = aReturnableCoupon().withTotal(5).build();
    var address = backend.define(coupon);
    claim(stock, address, "ann", "gone", "back", "again");
    giveBack(address, "gone", 2, 1);
    giveBack(address, "back", 3, 1);
    giveBack(address, "again", 4, 1);
    backend.change(address, aReturnableCoupon().withTotal(5).withRevision(2).closed().build());

    assertThat(
            stock.adopt(
                address,
                List.of(
                    late(coupon, "ann", 3),
                    late(coupon, "bob", 3),
                    late(coupon, "cy", 3),
                    late(coupon, "gone", 4),
                    late(coupon, "dee", 5),
                    late(coupon, "eve", 9),
                    late(coupon, "fay", 5))))
        .containsExactly(
            adopted(1),
            adopted(3),
            adopted(2),
            new AdoptOutcome.GoneBack(),
            adopted(5),
            adopted(4),
            new AdoptOutcome.Rejected());
    assertThat(stock.find(address, List.of(user("cy"), user("gone"), user("fay"))))
        .containsOnly(
            Map.entry(user("cy"), new LedgerMark.Holds(new Slot(2))),
            Map.entry(user("gone"), new LedgerMark.GaveBack(new Slot(2))),
            Map.entry(user("fay"), new LedgerMark.WasRejected()));
    assertThat(stock.adopt(address, List.of(late(coupon, "bob", 1), late(coupon, "fay", 1))))
        .containsExactly(adopted(3), new AdoptOutcome.Rejected());
    assertThat(claim(stock, address, "fay", "gone", "new"))
        .containsExactly(
            new ClaimOutcome.Rejected(), new ClaimOutcome.Returned(), new ClaimOutcome.Closed());
  }

  private static AdoptOutcome adopted(int slot) {
    return new AdoptOutcome.Adopted(new Slot(slot));
  }
}
