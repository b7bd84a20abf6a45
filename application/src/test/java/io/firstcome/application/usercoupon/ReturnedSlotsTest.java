package io.firstcome.application.usercoupon;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.claim.FindClaim;
import io.firstcome.application.reconciliation.ExactnessProof;
import io.firstcome.application.reconciliation.PendingErasures;
import io.firstcome.application.reconciliation.ProveExactness;
import io.firstcome.application.recovery.RecoverStock;
import io.firstcome.application.stock.EndLeases;
import io.firstcome.application.usercoupon.RedemptionRefusal.Reason;
import io.firstcome.application.usercoupon.UserCouponAnswer.Done;
import io.firstcome.application.usercoupon.UserCouponAnswer.DoneBefore;
import io.firstcome.application.usercoupon.UserCouponAnswer.Refused;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SoldOutLease;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.reconciliation.Discrepancy;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.Redeemer;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A coupon with two slots, which are issued to ann and bob and can be issued again when returned.
 */
class ReturnedSlotsTest {

  private static final Actor OPERATOR = new Actor(Actor.Kind.OPERATOR, "olga");
  private static final ClaimAnswer RETURNED = new ClaimAnswer.Refused(new ClaimOutcome.Returned());
  private static final ClaimAnswer SOLD_OUT = new ClaimAnswer.Refused(new ClaimOutcome.SoldOut());
  private static final int CALLERS = 200;

  private Coupon coupon = aCoupon().withTotal(2).returningToStock().build();
  private InMemoryService service = serviceWithTwoClaims(coupon);

  private static InMemoryService serviceWithTwoClaims(Coupon coupon) {
    var service = InMemoryService.with(coupon);
    service.claim(coupon, "ann");
    service.claim(coupon, "bob");
    service.relayAndRecord();
    return service;
  }

  private UserCouponId idOf(String user) {
    return CouponFixtures.codeKeys()
        .identityOf(coupon.codeKeyVersion(), coupon.id(), new UserId(user))
        .id();
  }

  private UserCouponAnswer<ReturnRefusal> giveBack(String user) {
    return service.giveBackUserCoupon.giveBack(idOf(user), Actor.customer(new UserId(user)));
  }

  private UserCouponAnswer<ReturnRefusal> revoke(String user, String reason) {
    return service.revokeUserCoupon.revoke(idOf(user), reason, OPERATOR);
  }

  private UserCouponAnswer<RedemptionRefusal> take(
      String user, String order, @Nullable Duration hold) {
    var takeUserCoupon =
        new TakeUserCoupon(
            service.catalog, service.database.userCoupons(), true, InstantSource.system());
    var amount = new Money(10_000, Currency.getInstance("EUR"));
    return takeUserCoupon.take(
        idOf(user),
        new TakeUserCoupon.Order(new OrderId(order), amount, hold),
        new Redeemer.Owner(new UserId(user)));
  }

  private UserCoupon row(String user) {
    return service.row(coupon, user).orElseThrow();
  }

  private List<UserCoupon> pending() {
    return service.database.slotReturns().pending(null, 10);
  }

  /** Claims, records the claim, and returns the slot of the row. */
  private Slot issuedSlotOf(String user) {
    assertThat(service.claim(coupon, user)).isInstanceOf(ClaimAnswer.Accepted.class);
    service.relayAndRecord();
    return row(user).slot();
  }

  private void assertExact() {
    assertThat(service.proof(coupon).discrepancies()).isEmpty();
    assertThat(service.proof(coupon).exact()).isTrue();
  }

  @Test
  void a_returned_slot_is_issued_to_another_user_and_its_former_owner_cannot_claim_again() {
    assertThat(service.claim(coupon, "cy")).isEqualTo(SOLD_OUT);

    assertThat(giveBack("ann")).isEqualTo(new Done<>(row("ann")));

    assertThat(row("ann")).isInstanceOf(UserCoupon.Returned.class);
    assertThat(service.claim(coupon, "ann")).isEqualTo(RETURNED);
    assertThat(issuedSlotOf("cy")).isEqualTo(new Slot(1));
    assertThat(row("cy").ownership().generation()).isEqualTo(2);
    assertThat(service.claim(coupon, "dora")).isEqualTo(SOLD_OUT);
    assertThat(pending()).isEmpty();
    assertExact();
  }

  @Test
  void a_returned_slot_of_a_coupon_with_a_lease_can_be_claimed_when_the_lease_is_over() {
    service.grantLease(coupon);
    giveBack("ann");
    service.endLeases.endDue();

    service.timePasses(SoldOutLease.OVER_AFTER);
    service.endLeases.endDue();

    assertThat(issuedSlotOf("cy")).isEqualTo(new Slot(1));
    assertExact();
  }

  @Test
  void a_slot_that_is_withheld_when_its_instance_dies_is_offered_by_another_instance() {
    service.grantLease(coupon);
    giveBack("ann");
    assertThat(service.claim(coupon, "cy")).isEqualTo(SOLD_OUT);

    var endLeases = new EndLeases(service.stock.leases(), service.epochs, service.processClock);
    var ofAnother = releaseSlots(endLeases);
    ofAnother.catchUp();
    endLeases.endDue();
    service.timePasses(SoldOutLease.OVER_AFTER);
    endLeases.endDue();

    assertThat(issuedSlotOf("cy")).isEqualTo(new Slot(1));
    assertThat(pending()).hasSize(1);
    ofAnother.catchUp();
    assertThat(pending()).isEmpty();
    assertExact();
  }

  private ReleaseSlots releaseSlots(EndLeases endLeases) {
    return new ReleaseSlots(
        service.catalog,
        service.database.slotReturns(),
        service.stock.stock(),
        service.epochs,
        endLeases,
        service.limits.userCoupons(),
        IssuanceObserver.silent());
  }

  @Test
  void a_repeated_return_changes_nothing_even_if_the_slot_was_issued_again() {
    giveBack("ann");
    issuedSlotOf("cy");

    assertThat(giveBack("ann")).isEqualTo(new DoneBefore<>(row("ann")));
    service.releaseSlots.catchUp();

    assertThat(service.claim(coupon, "dora")).isEqualTo(SOLD_OUT);
    assertExact();
  }

  @Test
  void without_returns_to_stock_the_slot_of_a_returned_user_coupon_is_not_issued_again() {
    coupon = aCoupon().withTotal(2).build();
    service = serviceWithTwoClaims(coupon);

    assertThat(giveBack("ann")).isInstanceOf(Done.class);

    assertThat(service.claim(coupon, "ann")).isEqualTo(RETURNED);
    assertThat(service.claim(coupon, "cy")).isEqualTo(SOLD_OUT);
    assertThat(pending()).isEmpty();
    assertExact();
    assertThat(service.findClaim.find(coupon.id(), new UserId("ann")))
        .isEqualTo(new FindClaim.Result.Recorded(row("ann")));
  }

  @Test
  void an_operator_can_revoke_a_held_user_coupon_and_the_first_reason_stays() {
    take("ann", "order-1", Duration.ofMinutes(10));

    assertThat(revoke("ann", "fraud")).isEqualTo(new Done<>(row("ann")));
    assertThat(revoke("ann", "other")).isEqualTo(new DoneBefore<>(row("ann")));

    assertThat(row("ann"))
        .isInstanceOfSatisfying(
            UserCoupon.Revoked.class, revoked -> assertThat(revoked.reason()).isEqualTo("fraud"));
    assertThat(take("ann", "order-1", null)).isEqualTo(new Refused<>(Reason.NOT_USABLE));
    assertThat(giveBack("ann")).isEqualTo(new Refused<>(ReturnRefusal.RETURNED_OR_REVOKED));
    assertThat(issuedSlotOf("cy")).isEqualTo(new Slot(1));
    assertExact();
  }

  @Test
  void a_held_or_used_user_coupon_cannot_be_returned_and_a_used_one_cannot_be_revoked() {
    take("ann", "order-1", Duration.ofMinutes(10));
    take("bob", "order-2", null);

    assertThat(giveBack("ann")).isEqualTo(new Refused<>(ReturnRefusal.HELD));
    assertThat(giveBack("bob")).isEqualTo(new Refused<>(ReturnRefusal.USED));
    assertThat(revoke("bob", "fraud")).isEqualTo(new Refused<>(ReturnRefusal.USED));
    assertThat(pending()).isEmpty();
    assertThat(service.claim(coupon, "cy")).isEqualTo(SOLD_OUT);
  }

  @Test
  void a_user_cannot_return_the_user_coupon_of_another_user() {
    assertThat(service.giveBackUserCoupon.giveBack(idOf("ann"), Actor.customer(new UserId("bob"))))
        .isEqualTo(new UserCouponAnswer.UnknownUserCoupon<>());
    assertThat(row("ann")).isInstanceOf(UserCoupon.Issued.class);
  }

  @Test
  void while_the_stock_is_unavailable_a_return_is_recorded_and_its_slot_released_later() {
    service.stock.restart();

    assertThat(giveBack("ann")).isInstanceOf(Done.class);
    assertThat(pending()).containsExactly(row("ann"));
    service.releaseSlots.catchUp();
    assertThat(pending()).as("while the stock is not reachable").containsExactly(row("ann"));

    service.checkTheFence();
    service.releaseSlots.catchUp();
    assertThat(pending()).isEmpty();
    assertThat(issuedSlotOf("cy")).isEqualTo(new Slot(1));
    assertThat(service.claim(coupon, "dora")).isEqualTo(SOLD_OUT);
    assertExact();
  }

  /** Returns the user coupon as an instance that dies between the commit and the release. */
  private void giveBackWithoutRelease(String user) {
    giveBackWithoutRelease(row(user));
  }

  private void giveBackWithoutRelease(UserCoupon of) {
    var row = (UserCoupon.Issued) of;
    var now = row.issuedAt();
    assertThat(
            service
                .database
                .userCoupons()
                .change(
                    new UserCouponChange(
                        row, row.giveBack(now, true), Actor.customer(row.userId()), now)))
        .isTrue();
  }

  @Test
  void a_committed_return_whose_slot_was_not_released_is_released_later_and_once() {
    giveBackWithoutRelease("ann");
    assertThat(service.claim(coupon, "ann")).isEqualTo(RETURNED);
    assertThat(service.claim(coupon, "cy")).isEqualTo(SOLD_OUT);
    assertExact();

    service.releaseSlots.catchUp();
    assertThat(issuedSlotOf("cy")).isEqualTo(new Slot(1));
    service.releaseSlots.catchUp();

    assertThat(service.claim(coupon, "dora")).isEqualTo(SOLD_OUT);
    assertExact();
  }

  /**
   * The stock is missing in an open partition, as after a database restore that lost an archiving.
   */
  @Test
  void a_coupon_without_stock_does_not_block_the_slots_of_other_coupons() {
    var without = aCoupon().withId("AAA").withTotal(2).returningToStock().build();
    service.defineCoupon.define(without.definition(), null, OPERATOR);
    service.claim(without, "zoe");
    service.relayAndRecord();
    giveBackWithoutRelease(service.row(without, "zoe").orElseThrow());
    giveBackWithoutRelease("ann");
    service.stock.stock().remove(service.epochs.address(without));

    service.releaseSlots.catchUp();

    assertThat(pending()).extracting(UserCoupon::couponId).containsExactly(without.id());
    assertThat(issuedSlotOf("cy")).isEqualTo(new Slot(1));
  }

  @Test
  void an_emptied_server_is_rebuilt_with_the_returned_slots() {
    giveBack("ann");
    service.stock.wipe();
    service.checkTheFence();

    assertThat(service.claim(coupon, "ann")).isEqualTo(RETURNED);
    assertThat(issuedSlotOf("cy")).isEqualTo(new Slot(1));
    assertThat(service.claim(coupon, "dora")).isEqualTo(SOLD_OUT);
    assertExact();
  }

  @Test
  void after_a_recovery_only_the_current_owner_of_a_slot_can_return_it() {
    giveBack("ann");
    issuedSlotOf("cy");
    service.stock.wipe();
    service.checkTheFence();

    assertThat(
            service
                .stock
                .stock()
                .release(service.epochs.address(coupon), new UserId("cy"), new Slot(1), 1))
        .as("a release of ann's generation")
        .isEqualTo(new ReleaseOutcome.NotHeld());
    giveBack("cy");

    assertThat(issuedSlotOf("dora")).isEqualTo(new Slot(1));
    assertThat(row("dora").ownership().generation()).isEqualTo(3);
    assertExact();
  }

  @Test
  void a_slot_returned_during_a_recovery_is_released_afterwards() throws InterruptedException {
    service.stock.wipe();
    var ports =
        Interposed.before(StockRecovery.class, "ready", () -> giveBackWithoutRelease("ann"));
    service
        .recoverStock(ports, IssuanceObserver.silent())
        .recoverNow(InMemoryService.PARTITION, RecoverStock.Database.CURRENT);

    assertThat(service.claim(coupon, "cy")).isEqualTo(SOLD_OUT);
    service.releaseSlots.catchUp();

    assertThat(issuedSlotOf("cy")).isEqualTo(new Slot(1));
    assertThat(service.claim(coupon, "dora")).isEqualTo(SOLD_OUT);
    assertExact();
  }

  @Test
  void a_returned_slot_stays_returned_after_a_database_restore() throws InterruptedException {
    var backup = service.database.backUp();
    giveBack("ann");
    issuedSlotOf("cy");
    service.database.restore(backup);

    service.keeper.recover(InMemoryService.PARTITION, true);
    service.settleAll();

    assertThat(row("ann")).isInstanceOf(UserCoupon.Returned.class);
    assertThat(service.claim(coupon, "ann")).isEqualTo(RETURNED);
    assertThat(row("cy").slot()).isEqualTo(new Slot(1));
    service.releaseSlots.catchUp();
    assertThat(service.claim(coupon, "dora")).isEqualTo(SOLD_OUT);
    assertExact();
  }

  private ExactnessProof proofThrough(Interposed ports) {
    return new ProveExactness(
            service.database.coupons(),
            ports.port(CouponStock.class, service.stock.stock()),
            service.stock.log(),
            service.database.userCoupons(),
            service.database.lateClaims(),
            new PendingErasures(service.database.erasures(), CouponFixtures.codeKeys()),
            service.epochs,
            InstantSource.system(),
            service.limits.comparison())
        .prove(coupon.id())
        .orElseThrow();
  }

  @Test
  void a_slot_whose_next_owner_gets_a_row_during_a_comparison_is_used() {
    giveBack("ann");
    service.claim(coupon, "cy");

    var proof =
        proofThrough(Interposed.before(CouponStock.class, "ledger", service::relayAndRecord));

    assertThat(proof.slotsUsed()).isEqualTo(2);
    assertThat(proof.free()).isZero();
  }

  @Test
  void a_slot_returned_during_a_comparison_is_no_discrepancy() {
    var proof = proofThrough(Interposed.before(CouponStock.class, "find", () -> giveBack("ann")));

    assertThat(row("ann")).isInstanceOf(UserCoupon.Returned.class);
    assertThat(proof.discrepancies()).isEmpty();
  }

  @Test
  void a_returned_user_coupon_missing_in_the_ledger_is_reported_and_healed()
      throws InterruptedException {
    giveBack("ann");
    var epoch = service.epoch().next();
    var address = new StockAddress(coupon.id(), InMemoryService.PARTITION, epoch);
    service.stock.recovery().begin(InMemoryService.PARTITION, epoch);
    service.stock.recovery().forget(address, List.of(new UserId("ann")));
    service.stock.recovery().ready(address, StockTerms.of(coupon), 3, false);
    service.stock.recovery().open(InMemoryService.PARTITION, epoch);
    service.database.epochs().raise(InMemoryService.PARTITION, epoch);
    service.checkTheFence();

    assertThat(service.proof(coupon).discrepancies())
        .containsExactly(new Discrepancy.ExtraRow(new UserId("ann"), new Slot(1)));
    service.keeper.recover(InMemoryService.PARTITION, false);

    assertExact();
    assertThat(service.claim(coupon, "ann")).isEqualTo(RETURNED);
  }

  @Test
  @Timeout(60)
  void of_two_hundred_concurrent_uses_returns_and_revocations_one_succeeds() throws Exception {
    var calls = new ArrayList<Callable<UserCouponAnswer<?>>>();
    for (int i = 0; i < CALLERS; i++) {
      var order = "order-" + i;
      calls.add(
          switch (i % 3) {
            case 0 -> () -> take("ann", order, null);
            case 1 -> () -> giveBack("ann");
            default -> () -> revoke("ann", order);
          });
    }
    var won = new ArrayList<UserCouponAnswer<?>>();
    try (var threads = Executors.newFixedThreadPool(16)) {
      for (var answer : threads.invokeAll(calls)) {
        if (answer.get() instanceof Done<?> done) {
          won.add(done);
        }
      }
    }

    assertThat(won).containsExactly(new Done<>(row("ann")));
    boolean usable = row("ann") instanceof UserCoupon.Used;
    assertThat(service.proof(coupon).free()).isEqualTo(usable ? 0 : 1);
    assertExact();
  }
}
