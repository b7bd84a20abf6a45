package io.firstcome.contracts.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.stock.StockScenario.FIRST;
import static io.firstcome.contracts.stock.StockScenario.accepted;
import static io.firstcome.contracts.stock.StockScenario.alreadyIssued;
import static io.firstcome.contracts.stock.StockScenario.claim;
import static io.firstcome.contracts.stock.StockScenario.recoveredAs;
import static io.firstcome.contracts.stock.StockScenario.user;
import static io.firstcome.contracts.stock.StockScenario.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.contracts.CouponFixtures.CouponBuilder;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SoldOutLease;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockLeasedException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every stock with leases does while one may be in use. */
public abstract class SoldOutLeasesContract extends StockContract<HandoffStockUnderTest> {

  private static final ClaimOutcome SOLD_OUT = new ClaimOutcome.SoldOut();
  private static final ClaimOutcome WITHHELD = new ClaimOutcome.Withheld();

  private SoldOutLeases leases;

  @BeforeEach
  void connect() {
    leases = backend.leases();
  }

  private static CouponBuilder ofTwo() {
    return aCoupon().returningToStock().withTotal(2);
  }

  private StockAddress soldOut(CouponBuilder coupon) {
    var address = define(coupon);
    claim(stock, address, users(1, coupon.build().definition().totalQuantity()));
    return address;
  }

  private SoldOutLease lease(StockAddress coupon) {
    return leases.request(coupon).orElseThrow();
  }

  private void endLease(StockAddress coupon) {
    leases.end(coupon, leases.latest(coupon));
  }

  @Test
  void a_lease_is_granted_only_while_every_claim_would_be_refused_as_sold_out() {
    var now = Instant.now();
    var notSoldOut = define(ofTwo());
    claim(stock, notSoldOut, "ann");
    var paused = soldOut(ofTwo().withId("PAUSED"));
    backend.change(paused, ofTwo().withId("PAUSED").withRevision(2).paused().build());
    var closingSoon = ofTwo().withId("CLOSING");
    closingSoon.opening(now.minusSeconds(9), now.plus(SoldOutLease.LENGTH));
    var returned = soldOut(ofTwo().withId("RETURNED"));
    giveBack(returned, "user-1", 1, 1);

    assertThat(leases.request(notSoldOut)).isEmpty();
    assertThat(leases.request(paused)).isEmpty();
    assertThat(leases.request(soldOut(closingSoon))).isEmpty();
    assertThat(leases.request(returned)).isEmpty();
    assertThat(leases.latest(returned)).isEqualTo(SoldOutLeases.NONE);
    assertThat(leases.request(soldOut(ofTwo().withId("SOLDOUT")))).isPresent();
  }

  @Test
  void a_lease_knows_every_user_with_a_mark() {
    var coupon = define(ofTwo());
    claim(stock, coupon, "holder", "returner");
    giveBack(coupon, "returner", 2, 1);
    claim(stock, coupon, "second");
    stock.adopt(coupon, List.of(late(ofTwo().build(), "rejected", 1)));

    var lease = lease(coupon);

    for (var user : List.of("holder", "returner", "second", "rejected")) {
      assertThat(lease.mayHaveMark(user(user))).as(user).isTrue();
    }
    assertThat(lease.mayHaveMark(user("another"))).isFalse();
  }

  @Test
  void a_returned_slot_is_withheld_until_the_lease_is_ended() {
    var coupon = soldOut(ofTwo());
    lease(coupon);

    assertThat(giveBack(coupon, "user-1", 1, 1)).isEqualTo(new ReleaseOutcome.Withheld());
    assertThat(giveBack(coupon, "user-1", 1, 1)).isEqualTo(new ReleaseOutcome.Withheld());
    assertThat(claim(stock, coupon, "ann", "user-2")).containsExactly(WITHHELD, alreadyIssued(2));
    assertThat(leases.request(coupon)).isEmpty();

    endLease(coupon);

    assertThat(giveBack(coupon, "user-1", 1, 1)).isEqualTo(new ReleaseOutcome.NotHeld());
    assertThat(claim(stock, coupon, "ann", "bob")).containsExactly(accepted(1), SOLD_OUT);
    lease(coupon);
    assertThat(giveBack(coupon, "user-1", 1, 1)).isEqualTo(new ReleaseOutcome.NotHeld());
  }

  @Test
  void slots_of_a_larger_quantity_are_withheld_until_the_lease_is_ended() {
    var coupon = soldOut(ofTwo());
    lease(coupon);
    backend.change(coupon, ofTwo().withTotal(3).withRevision(2).build());

    assertThat(claim(stock, coupon, "ann")).containsExactly(WITHHELD);

    endLease(coupon);

    assertThat(claim(stock, coupon, "ann", "bob")).containsExactly(accepted(3), SOLD_OUT);
  }

  @Test
  void the_end_of_an_earlier_lease_has_no_effect() {
    var coupon = soldOut(ofTwo());
    lease(coupon);
    long earlier = leases.latest(coupon);
    lease(coupon);
    giveBack(coupon, "user-1", 1, 1);

    leases.end(coupon, earlier);

    assertThat(claim(stock, coupon, "ann")).containsExactly(WITHHELD);
    assertThat(leases.latest(coupon)).isGreaterThan(earlier);
  }

  @Test
  void a_coupon_is_sold_out_while_a_lease_is_in_use_and_no_slot_is_free() {
    var coupon = soldOut(ofTwo());
    lease(coupon);

    assertThat(claim(stock, coupon, "ann")).containsExactly(SOLD_OUT);
    assertThat(leases.request(coupon)).isPresent();
  }

  @Test
  void the_next_lease_knows_the_users_who_claimed_in_between() {
    var coupon = soldOut(ofTwo());
    lease(coupon);
    for (int generation = 1; generation <= 5; generation++) {
      giveBack(coupon, generation == 1 ? "user-1" : "next-" + (generation - 1), 1, generation);
      endLease(coupon);
      claim(stock, coupon, "next-" + generation);

      assertThat(lease(coupon).mayHaveMark(user("next-" + generation))).isTrue();
    }
  }

  @Test
  void late_claims_of_users_without_a_mark_wait_until_the_lease_is_ended() {
    Coupon coupon = ofTwo().build();
    var address = soldOut(ofTwo());
    lease(address);

    assertThatExceptionOfType(StockLeasedException.class)
        .isThrownBy(() -> stock.adopt(address, List.of(late(coupon, "late", 1))));
    assertThat(stock.find(address, user("late"))).isEmpty();
    assertThat(leases.request(address)).as("a lease while an adoption waits").isEmpty();

    endLease(address);

    assertThat(stock.adopt(address, List.of(late(coupon, "late", 1))))
        .containsExactly(new AdoptOutcome.Rejected());
    assertThat(lease(address).mayHaveMark(user("late"))).isTrue();
  }

  @Test
  void late_claims_of_users_with_a_mark_do_not_wait() {
    var address = soldOut(ofTwo());
    lease(address);

    assertThat(stock.adopt(address, List.of(late(ofTwo().build(), "user-2", 1))))
        .containsExactly(new AdoptOutcome.Adopted(new Slot(2)));
  }

  @Test
  void a_lease_of_an_earlier_epoch_is_over_in_the_next_one() {
    var address = soldOut(ofTwo());
    lease(address);

    var next =
        recoveredAs(
            backend,
            ofTwo().build(),
            2,
            Map.of(
                user("user-1"), new LedgerMark.Holds(new Slot(1)),
                user("user-2"), new LedgerMark.GaveBack(new Slot(2))));

    assertThat(leases.latest(next)).isEqualTo(SoldOutLeases.NONE);
    assertThat(claim(stock, next, "ann", "bob")).containsExactly(accepted(2), SOLD_OUT);
    assertThat(lease(next).mayHaveMark(user("ann"))).isTrue();
    assertFenced(() -> leases.request(address));
    assertFenced(() -> leases.latest(address));
    assertFenced(() -> leases.end(address, 1));
  }

  /** The number of users is the same, so it does not show that another filter is needed. */
  @Test
  void a_lease_knows_the_users_whom_a_recovery_has_marked() {
    var coupon = ofTwo().build();
    lease(soldOut(ofTwo()));

    var recovery = backend.recovery();
    var next = StockScenario.address(coupon, FIRST.next());
    recovery.begin(coupon.partition(), next.epoch());
    recovery.forget(next, List.of(user("user-2")));
    recovery.putMarks(next, Map.of(user("another"), new LedgerMark.Holds(new Slot(2))));
    recovery.ready(next, StockTerms.of(coupon), 3, false);
    recovery.open(coupon.partition(), next.epoch());

    assertThat(lease(next).mayHaveMark(user("another"))).isTrue();
  }

  @Test
  void no_lease_is_granted_while_the_partition_recovers() {
    var coupon = ofTwo().build();
    var address = soldOut(ofTwo());
    var next = StockScenario.address(coupon, FIRST.next());
    backend.recovery().begin(coupon.partition(), next.epoch());

    assertThatExceptionOfType(StockFencedException.class).isThrownBy(() -> leases.request(address));
    assertThatExceptionOfType(StockFencedException.class).isThrownBy(() -> leases.request(next));
  }
}
