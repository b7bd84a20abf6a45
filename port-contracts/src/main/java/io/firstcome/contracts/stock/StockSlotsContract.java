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

import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every {@link CouponStock} does with returned slots, and with late claims. */
public abstract class StockSlotsContract extends StockReturnsContract<HandoffStockUnderTest> {

  private static final ReleaseOutcome RELEASED = new ReleaseOutcome.Released();
  private static final ReleaseOutcome NOT_HELD = new ReleaseOutcome.NotHeld();

  @Test
  void recovered_free_slots_are_allocated_first_and_lowest_first() {
    var coupon = aCoupon().withTotal(10).build();
    var address = recoveredAs(backend, coupon, 8, new HashMap<>(), 6, 2);

    assertThat(claim(stock, address, "ann", "bob", "cy"))
        .containsExactly(accepted(2), accepted(6), accepted(8));
    assertThat(stock.level(address)).isEqualTo(new StockLevel(10, 2, 9));
  }

  @Test
  void returned_slots_can_be_read_in_pages() {
    var address =
        recoveredAs(backend, aCoupon().withTotal(10).build(), 8, new HashMap<>(), 6, 2, 4);

    assertThat(stock.returned(address, null, 2)).containsExactly(new Slot(2), new Slot(4));
    assertThat(stock.returned(address, new Slot(4), 2)).containsExactly(new Slot(6));
    assertThat(stock.returned(address, new Slot(6), 2)).isEmpty();
  }

  @Test
  void returned_and_rejected_users_are_refused_with_the_reason() {
    Map<UserId, LedgerMark> marks = new HashMap<>();
    marks.put(user("ann"), new LedgerMark.GaveBack(new Slot(7)));
    marks.put(user("bob"), new LedgerMark.WasRejected());
    var coupon = recoveredAs(backend, aCoupon().build(), 1, marks);

    assertThat(claim(stock, coupon, "ann", "bob"))
        .containsExactly(new ClaimOutcome.Returned(), new ClaimOutcome.Rejected());
    assertThat(stock.find(coupon, List.of(user("ann"), user("bob"), user("cy")))).isEqualTo(marks);
  }

  @Test
  void a_late_claim_gets_the_slot_it_holds_or_was_promised_or_the_lowest_free_or_none() {
    Map<UserId, LedgerMark> marks = new HashMap<>();
    marks.put(user("ann"), new LedgerMark.Holds(new Slot(1)));
    marks.put(user("gone"), new LedgerMark.GaveBack(new Slot(2)));
    var coupon = aCoupon().withTotal(5).closed().build();
    var address = recoveredAs(backend, coupon, 5, marks, 2, 3, 4);

    assertThat(
            stock.adopt(
                address,
                List.of(
                    late(coupon, "ann", 3),
                    late(coupon, "bob", 3),
                    late(coupon, "cy", 3),
                    late(coupon, "gone", 4),
                    late(coupon, "dee", 5),
                    late(coupon, "eve", 5),
                    late(coupon, "fay", 5))))
        .containsExactly(
            adopted(1),
            adopted(3),
            adopted(2),
            new AdoptOutcome.GoneBack(),
            adopted(5),
            adopted(4),
            new AdoptOutcome.Rejected());
    assertThat(stock.find(address, user("fay"))).contains(new LedgerMark.WasRejected());
    assertThat(backend.log().peek(partition(), null, 10)).isEmpty();
    assertThat(stock.adopt(address, List.of(late(coupon, "bob", 1), late(coupon, "fay", 1))))
        .containsExactly(adopted(3), new AdoptOutcome.Rejected());
  }

  @Test
  void a_late_claim_that_was_promised_a_slot_above_the_quantity_gets_another_slot() {
    var coupon = aCoupon().withTotal(2).build();
    var address = recoveredAs(backend, coupon, 3, new HashMap<>(), 1);

    assertThat(stock.adopt(address, List.of(late(coupon, "ann", 3)))).containsExactly(adopted(1));
    assertThat(stock.level(address)).isEqualTo(new StockLevel(2, 0, 3));
  }

  @Test
  void a_release_in_an_already_freed_generation_has_no_effect() {
    var coupon = opened(backend, aCoupon().withTotal(1).build(), FIRST);
    claim(stock, coupon, "ann");
    assertThat(release(coupon, "ann", 1, 9)).isEqualTo(RELEASED);
    claim(stock, coupon, "bob");

    assertThat(release(coupon, "bob", 1, 9)).isEqualTo(NOT_HELD);
    assertThat(claim(stock, coupon, "bob", "cy"))
        .containsExactly(alreadyIssued(1), new ClaimOutcome.SoldOut());

    assertThat(release(coupon, "bob", 1, 10)).isEqualTo(RELEASED);
    assertThat(claim(stock, coupon, "bob", "cy"))
        .containsExactly(new ClaimOutcome.Returned(), accepted(1));
  }

  @Test
  void a_release_by_a_user_who_does_not_own_the_slot_has_no_effect() {
    Map<UserId, LedgerMark> marks = new HashMap<>();
    marks.put(user("ann"), new LedgerMark.Holds(new Slot(1)));
    marks.put(user("bob"), new LedgerMark.Holds(new Slot(2)));
    marks.put(user("gone"), new LedgerMark.GaveBack(new Slot(3)));
    marks.put(user("lost"), new LedgerMark.WasRejected());
    var coupon = recoveredAs(backend, aCoupon().withTotal(5).build(), 4, marks);

    assertThat(release(coupon, "bob", 1, 7)).isEqualTo(NOT_HELD);
    assertThat(release(coupon, "ann", 2, 7)).isEqualTo(NOT_HELD);
    assertThat(release(coupon, "gone", 3, 7)).isEqualTo(NOT_HELD);
    assertThat(release(coupon, "lost", 3, 7)).isEqualTo(NOT_HELD);
    assertThat(release(coupon, "nobody", 4, 7)).isEqualTo(NOT_HELD);

    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(5, 2, 4));
    assertThat(stock.find(coupon, List.copyOf(marks.keySet()))).isEqualTo(marks);
    assertThat(release(coupon, "ann", 1, 1)).isEqualTo(RELEASED);
    assertThat(release(coupon, "bob", 2, 1)).isEqualTo(RELEASED);
  }

  private ReleaseOutcome release(StockAddress coupon, String user, int slot, int generation) {
    return stock.release(coupon, user(user), new Slot(slot), generation);
  }

  private static AdoptOutcome adopted(int slot) {
    return new AdoptOutcome.Adopted(new Slot(slot));
  }
}
