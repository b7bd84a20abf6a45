package io.firstcome.application.recording;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Settling of late claims, some of which cannot be recorded. */
class SettleLateClaimsTest {

  private final Coupon coupon = aCoupon().withId("FIRST").withTotal(50).build();
  private final Coupon other = aCoupon().withId("SECOND").withTotal(50).build();
  private final InMemoryService service = InMemoryService.with(coupon);

  /** Makes the user's claim late and unrecordable: another row has its id and its code. */
  private void makePoisonOf(String user) throws InterruptedException {
    service.defineCoupon.define(other.definition(), null, OPERATOR);
    for (var each : List.of("ann", user, "bob")) {
      service.claim(coupon, each);
      service.claim(other, each);
    }
    service
        .database
        .userCoupons()
        .record(
            List.of(
                new AcceptedClaim(
                    coupon.id(),
                    new UserId("thief"),
                    new Slot(50),
                    InMemoryService.PARTITION,
                    service.epoch(),
                    Instant.EPOCH,
                    CouponFixtures.codeKeys()
                        .identityOf(coupon.codeKeyVersion(), coupon.id(), new UserId(user)))));
    service.keeper.recover(InMemoryService.PARTITION, false);
  }

  @Test
  void an_unrecordable_late_claim_is_a_dead_letter_and_the_others_are_recorded()
      throws InterruptedException {
    makePoisonOf("zoe");

    service.settleAll();

    assertThat(service.row(coupon, "ann")).isPresent();
    assertThat(service.row(coupon, "bob")).isPresent();
    assertThat(service.row(coupon, "zoe")).isEmpty();
    assertThat(service.row(other, "zoe")).isPresent();
    assertThat(service.proof(other).exact()).isTrue();
    assertThat(service.database.lateClaims().next(InMemoryService.PARTITION, null, 10)).isEmpty();
    assertThat(service.deadLetters())
        .singleElement()
        .satisfies(
            letter -> assertThat(InMemoryService.users(letter)).containsExactly(new UserId("zoe")))
        .extracting(DeadLetter::reason)
        .isEqualTo("the database refuses it");
  }

  /**
   * The stock is missing in an open partition, as after a database restore that lost an archiving.
   */
  @Test
  void a_coupon_without_stock_does_not_block_the_late_claims_of_other_coupons() {
    service.defineCoupon.define(other.definition(), null, OPERATOR);
    service.database.lateClaims().add(List.of(late(coupon, "ann"), late(other, "bob")));
    service.stock.stock().remove(service.epochs.address(coupon));

    service.settleAll();

    assertThat(service.row(other, "bob")).isPresent();
    assertThat(service.database.lateClaims().next(InMemoryService.PARTITION, null, 10))
        .containsExactly(late(coupon, "ann"));
  }

  private static LateClaim late(Coupon of, String user) {
    return new LateClaim(
        of.id(),
        new UserId(user),
        new Slot(1),
        InMemoryService.PARTITION,
        CouponFixtures.ACCEPTED_AT);
  }

  @Test
  void settling_an_unrecordable_claim_again_adds_no_second_dead_letter()
      throws InterruptedException {
    makePoisonOf("zoe");
    var late = service.database.lateClaims().page(coupon.id(), null, 10);
    service.settleAll();

    service.database.lateClaims().add(late);
    service.settleAll();

    assertThat(service.deadLetters()).singleElement().extracting(DeadLetter::attempts).isEqualTo(2);
    assertThat(service.database.lateClaims().next(InMemoryService.PARTITION, null, 10)).isEmpty();
  }
}
