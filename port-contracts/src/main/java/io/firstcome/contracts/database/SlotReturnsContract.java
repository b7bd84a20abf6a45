package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How every database remembers which slots are to go back to stock. */
public abstract class SlotReturnsContract extends DatabaseContract {

  private SlotReturns slotReturns() {
    return database().slotReturns();
  }

  private UserCoupon row(Coupon coupon, String user) {
    return database().userCoupons().find(coupon.id(), user(user)).orElseThrow();
  }

  private List<UserCoupon> pending() {
    return slotReturns().pending(null, PAGE);
  }

  @Test
  void a_returned_slot_is_pending_until_it_is_in_stock() {
    var coupon = defined(aCoupon().returningToStock());
    record(claim(coupon, "alice", 1), claim(coupon, "bob", 2));
    assertThat(pending()).isEmpty();

    giveBack(coupon, "alice");
    var returned = row(coupon, "alice");
    assertThat(pending()).containsExactly(returned);

    slotReturns().noteReleased(returned.id());
    assertThat(pending()).isEmpty();
    assertThat(row(coupon, "alice")).isEqualTo(returned);
  }

  @Test
  void pending_returns_of_a_coupon_are_independent_of_other_coupons() {
    var coupon = defined(aCoupon().returningToStock());
    var longer = defined(aCoupon().withId("WELCOME-2").returningToStock());
    record(claim(coupon, "alice", 1), claim(longer, "alice", 1));

    giveBack(longer, "alice");
    assertThat(slotReturns().isPending(longer.id())).isTrue();
    assertThat(slotReturns().isPending(coupon.id())).isFalse();
    assertThat(slotReturns().isPending(UNKNOWN)).isFalse();

    slotReturns().noteReleased(row(longer, "alice").id());
    assertThat(slotReturns().isPending(longer.id())).isFalse();
  }

  @Test
  void a_slot_returned_by_its_next_owner_is_pending_again() {
    var coupon = defined(aCoupon().returningToStock());
    record(claim(coupon, "alice", 1));
    giveBack(coupon, "alice");
    slotReturns().noteReleased(row(coupon, "alice").id());
    record(claim(coupon, "bob", 1));
    giveBack(coupon, "bob");

    slotReturns().noteReleased(row(coupon, "alice").id());

    assertThat(pending()).containsExactly(row(coupon, "bob"));
  }

  @Test
  void a_user_coupon_that_ends_and_keeps_its_slot_is_not_pending() {
    var coupon = defined(aCoupon());
    record(claim(coupon, "alice", 1));
    var row = (UserCoupon.Issued) row(coupon, "alice");
    takeStep(row, row.revoke("fraud", ACCEPTED_AT, false));

    assertThat(pending()).isEmpty();
  }

  @Test
  void marking_a_live_or_unknown_user_coupon_as_in_stock_changes_nothing() {
    var coupon = defined(aCoupon().returningToStock());
    record(claim(coupon, "alice", 1));
    var alices = row(coupon, "alice");

    slotReturns().noteReleased(alices.id());
    slotReturns().noteReleased(new UserCouponId(UNKNOWN, alices.id().tag()));
    giveBack(coupon, "alice");

    assertThat(pending()).containsExactly(row(coupon, "alice"));
  }

  @Test
  void pending_returns_are_read_in_pages() {
    var coupon = defined(aCoupon().returningToStock());
    var other = defined(aCoupon().withId("OTHER").returningToStock());
    for (int slot = 1; slot <= 3; slot++) {
      record(claim(coupon, "user" + slot, slot), claim(other, "user" + slot, slot));
      giveBack(coupon, "user" + slot);
      giveBack(other, "user" + slot);
    }

    var all = pending();

    assertThat(all).hasSize(6).doesNotHaveDuplicates();
    assertThat(all.stream().filter(row -> row.couponId().equals(coupon.id())).map(UserCoupon::slot))
        .isSorted();
    assertThat(slotReturns().pending(null, 4)).isEqualTo(all.subList(0, 4));
    assertThat(slotReturns().pending(all.get(3), 4)).isEqualTo(all.subList(4, 6));
    assertThat(slotReturns().pending(all.getLast(), 4)).isEmpty();
  }
}
