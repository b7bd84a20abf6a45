package io.firstcome.application.erasure;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.lateClaim;
import static io.firstcome.contracts.CouponFixtures.pseudonymOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.erasure.Erasure;
import io.firstcome.domain.erasure.Erasure.Obstacle;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ann and bob have slots of a coupon with three, and ann is erased. */
class EraseUsersTest {

  private static final UserId ANN = new UserId("ann");
  private static final UserId ERASED = pseudonymOf(ANN);
  private static final ClaimAnswer REFUSED = new ClaimAnswer.Refused(new ClaimOutcome.Returned());
  private static final LedgerMark SLOT_1 = new LedgerMark.Holds(new Slot(1));
  private static final LedgerMark SLOT_2 = new LedgerMark.Holds(new Slot(2));

  private final Coupon coupon = aCoupon().withTotal(3).returningToStock().build();
  private final InMemoryService service = InMemoryService.with(coupon);

  @BeforeEach
  void annAndBobClaim() {
    service.claim(coupon, "ann");
    service.claim(coupon, "bob");
  }

  private Erasure erase() {
    service.recordAll();
    var id = service.requestErasure(ANN);
    service.tryErasures();
    return service.erasure(id);
  }

  private Map<UserId, LedgerMark> ledger() {
    return service.stock.marks(InMemoryService.PARTITION, coupon.id());
  }

  private void recover() {
    service.checkTheFence();
    service.settleAll();
  }

  private void assertErased() {
    assertThat(ledger()).isEqualTo(Map.of(ERASED, SLOT_1, new UserId("bob"), SLOT_2));
    assertThat(service.row(coupon, "ann")).isEmpty();
    assertThat(service.row(coupon, ERASED.value())).isPresent();
    assertThat(service.proof(coupon).discrepancies()).isEmpty();
    assertThat(service.claim(coupon, "ann")).isEqualTo(REFUSED);
    assertThat(service.database.lateClaims().page(coupon.id(), null, 10)).isEmpty();
    assertThat(service.deadLetters()).isEmpty();
  }

  @Test
  void the_user_is_replaced_in_ledger_and_row_and_cannot_claim_again() {
    var erasure = erase();

    assertThat(erasure.hasEnded()).isTrue();
    assertThat(erasure.userId()).isNull();
    assertThat(erasure.userCoupons()).isEqualTo(1);
    assertErased();
    assertThat(service.claim(coupon, "cy")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void an_erasure_waits_for_claims_that_were_accepted_before_the_request() {
    var id = service.requestErasure(ANN);
    service.tryErasures();
    assertThat(service.erasure(id).waitsFor()).isEqualTo(Obstacle.UNRECORDED_CLAIMS);

    service.recordAll();
    service.tryErasures();

    assertThat(service.erasure(id).hasEnded()).isTrue();
    assertErased();
  }

  @Test
  void claims_that_are_accepted_after_the_request_do_not_delay_an_erasure() {
    var id = service.requestErasure(ANN);
    service.tryErasures();
    service.recordAll();
    service.claim(coupon, "cy");

    service.tryErasures();

    assertThat(service.erasure(id).hasEnded()).isTrue();
  }

  @Test
  void an_erasure_whose_request_has_a_time_in_the_future_does_not_wait_for_it() {
    service.timePasses(Duration.ofDays(20));
    var id = service.requestErasure(ANN);
    service.timePasses(Duration.ofDays(-20));
    service.tryErasures();
    service.recordAll();
    service.claim(coupon, "cy");

    service.tryErasures();

    assertThat(service.erasure(id).hasEnded()).as("ended").isTrue();
  }

  @Test
  void an_erasure_that_ended_between_ledger_and_row_is_no_discrepancy() {
    service.recordAll();
    var id = service.requestErasure(ANN);
    service.stock.stock().erase(service.epochs.address(coupon), ANN, ERASED);

    assertThat(service.proof(coupon).discrepancies()).isEmpty();

    service.tryErasures();
    assertThat(service.erasure(id).hasEnded()).isTrue();
    assertErased();
  }

  @Test
  void a_pseudonym_in_the_ledger_is_a_discrepancy_without_a_request() {
    service.recordAll();
    service.stock.stock().erase(service.epochs.address(coupon), ANN, ERASED);

    assertThat(service.proof(coupon).discrepancies()).isNotEmpty();
  }

  @Test
  void an_erasure_waits_for_events() {
    service.relayAndRecord();
    var id = service.requestErasure(ANN);
    service.tryErasures();

    assertThat(service.erasure(id).waitsFor()).isEqualTo(Obstacle.EVENTS);
    assertThat(ledger()).containsEntry(ANN, SLOT_1);
  }

  @Test
  void an_erasure_waits_while_the_stock_recovers() {
    service.recordAll();
    service.stock.wipe();
    var id = service.requestErasure(ANN);
    service.tryErasures();
    assertThat(service.erasure(id).waitsFor()).isEqualTo(Obstacle.STOCK);
    assertThat(service.row(coupon, "ann")).isPresent();

    recover();
    service.tryErasures();

    assertThat(service.erasure(id).hasEnded()).isTrue();
    assertErased();
  }

  @Test
  void the_ledger_has_the_pseudonym_after_it_was_lost_and_recovered() {
    erase();
    service.stock.wipe();

    recover();

    assertErased();
  }

  @Test
  void a_ledger_that_has_lost_the_erasure_is_corrected_by_a_recovery() {
    service.recordAll();
    var before = service.stock.copy();
    erase();
    service.stock.setBackTo(before);

    recover();

    assertErased();
  }

  @Test
  void a_ledger_that_has_the_return_and_has_lost_the_erasure_is_corrected_by_a_recovery() {
    service.recordAll();
    var id = service.row(coupon, "ann").orElseThrow().id();
    service.giveBackUserCoupon.giveBack(id, Actor.customer(ANN));
    service.releaseSlots.catchUp();
    var before = service.stock.copy();
    assertThat(erase().hasEnded()).isTrue();
    service.stock.setBackTo(before);

    recover();

    assertThat(ledger())
        .isEqualTo(Map.of(ERASED, new LedgerMark.GaveBack(new Slot(1)), new UserId("bob"), SLOT_2));
  }

  @Test
  void a_ledger_that_has_the_rejection_and_has_lost_the_erasure_is_corrected_by_a_recovery() {
    service.recordAll();
    service.claim(coupon, "cy");
    service.recordAll();
    var dan = new UserId("dan");
    service.database.lateClaims().add(List.of(lateClaim(coupon, "dan", 3)));
    service.settleAll();
    assertThat(ledger()).containsEntry(dan, new LedgerMark.WasRejected());
    var before = service.stock.copy();
    service.recordAll();
    service.requestErasure(dan);
    service.tryErasures();
    service.stock.setBackTo(before);

    recover();

    assertThat(ledger())
        .doesNotContainKey(dan)
        .containsEntry(pseudonymOf(dan), new LedgerMark.WasRejected());
  }

  @Test
  void a_ledger_that_has_lost_a_return_and_the_erasure_is_corrected_by_a_recovery() {
    service.recordAll();
    var before = service.stock.copy();
    var id = service.row(coupon, "ann").orElseThrow().id();
    service.giveBackUserCoupon.giveBack(id, Actor.customer(ANN));
    service.releaseSlots.catchUp();
    assertThat(erase().hasEnded()).isTrue();
    service.stock.setBackTo(before);

    recover();

    assertThat(ledger())
        .isEqualTo(Map.of(ERASED, new LedgerMark.GaveBack(new Slot(1)), new UserId("bob"), SLOT_2));
    assertThat(service.proof(coupon).discrepancies()).isEmpty();
    assertThat(service.proof(coupon).free()).isEqualTo(2);
  }

  @Test
  void a_database_that_has_lost_the_erasure_makes_the_user_known_again() {
    service.recordAll();
    var before = service.database.backUp();
    erase();
    service.database.restore(before);
    service.stock.restart();

    recover();

    assertThat(ledger()).isEqualTo(Map.of(ANN, SLOT_1, new UserId("bob"), SLOT_2));
    assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.AlreadyClaimed.class);
    assertThat(service.proof(coupon).discrepancies()).isEmpty();
    assertThat(service.database.lateClaims().page(coupon.id(), null, 10)).isEmpty();
  }

  @Test
  void a_database_that_has_lost_a_return_and_the_erasure_keeps_the_slots_next_owner() {
    service.recordAll();
    var before = service.database.backUp();
    var row = service.row(coupon, "ann").orElseThrow();
    service.giveBackUserCoupon.giveBack(row.id(), Actor.customer(ANN));
    service.releaseSlots.catchUp();
    assertThat(erase().hasEnded()).isTrue();
    service.claim(coupon, "cy");
    service.recordAll();
    service.database.restore(before);
    service.stock.restart();

    recover();

    var cy = new UserId("cy");
    assertThat(ledger())
        .isEqualTo(
            Map.of(
                ANN, new LedgerMark.GaveBack(new Slot(1)), new UserId("bob"), SLOT_2, cy, SLOT_1));
    assertThat(service.row(coupon, "cy").orElseThrow().slot()).isEqualTo(new Slot(1));
    assertThat(service.row(coupon, "ann")).get().isInstanceOf(UserCoupon.Returned.class);

    service.releaseSlots.catchUp();
    assertThat(erase().hasEnded()).isTrue();
    assertThat(ledger()).containsEntry(ERASED, new LedgerMark.GaveBack(new Slot(1)));
    assertThat(service.proof(coupon).discrepancies()).isEmpty();
  }

  @Test
  void a_database_that_has_lost_the_user_coupon_of_an_erased_user_refuses_the_user_for_good() {
    var before = service.database.backUp();
    assertThat(erase().hasEnded()).isTrue();
    service.database.restore(before);
    service.stock.restart();

    recover();

    var rejected = new ClaimAnswer.Refused(new ClaimOutcome.Rejected());
    assertThat(service.claim(coupon, "ann")).isEqualTo(rejected);
    assertThat(ledger())
        .isEqualTo(Map.of(ERASED, new LedgerMark.WasRejected(), new UserId("bob"), SLOT_2));
    assertThat(service.proof(coupon).discrepancies()).isEmpty();
    assertThat(service.proof(coupon).free()).isEqualTo(2);

    service.stock.wipe();
    recover();
    assertThat(service.claim(coupon, "ann")).isEqualTo(rejected);
  }

  @Test
  void an_erasure_waits_for_a_missing_code_key_and_does_not_delay_others() {
    service.recordAll();
    var withoutKey =
        new EraseUsers(
            service.database.erasures(),
            service.database.coupons(),
            service.stock.stock(),
            null,
            service.epochs,
            service.stock.log(),
            List.of(InMemoryService.PARTITION),
            new CodeKeys(Map.of(2, new byte[CodeKeys.MIN_KEY_BYTES]), 2),
            true,
            service.clock,
            service.processClock);
    var id = service.requestErasure(ANN);
    var other = service.requestErasure(new UserId("zoe"));
    while (withoutKey.eraseNext()) {
      // The next one.
    }

    assertThat(service.erasure(id).waitsFor()).isEqualTo(Obstacle.CODE_KEY);
    assertThat(service.erasure(other).hasEnded()).isTrue();
  }

  @Test
  void an_erasure_that_ended_between_stock_and_row_is_completed_when_it_is_tried_again() {
    service.recordAll();
    var id = service.requestErasure(ANN);
    service.stock.stock().erase(service.epochs.address(coupon), ANN, ERASED);

    service.tryErasures();

    assertThat(service.erasure(id).hasEnded()).isTrue();
    assertErased();
  }

  @Test
  void an_erasure_that_ended_between_stock_and_row_is_undone_by_a_recovery() {
    service.recordAll();
    service.stock.stock().erase(service.epochs.address(coupon), ANN, ERASED);
    service.stock.restart();

    recover();

    assertThat(ledger()).isEqualTo(Map.of(ANN, SLOT_1, new UserId("bob"), SLOT_2));
    assertThat(service.proof(coupon).discrepancies()).isEmpty();
  }

  @Test
  void a_late_claim_of_an_erased_user_gets_no_other_slot() {
    erase();
    service.database.lateClaims().add(List.of(lateClaim(coupon, "ann", 1)));

    service.settleAll();

    assertErased();
    assertThat(service.proof(coupon).free()).isEqualTo(1);
  }

  @Test
  void the_slot_of_an_erased_user_can_be_revoked_and_issued_again() {
    erase();
    var id = service.row(coupon, ERASED.value()).orElseThrow().id();

    service.revokeUserCoupon.revoke(id, "fraud", OPERATOR);
    service.releaseSlots.catchUp();

    assertThat(service.claim(coupon, "ann")).isEqualTo(REFUSED);
    assertThat(service.claim(coupon, "cy"))
        .isInstanceOfSatisfying(
            ClaimAnswer.Accepted.class,
            accepted -> assertThat(accepted.slot()).isEqualTo(new Slot(1)));
  }
}
