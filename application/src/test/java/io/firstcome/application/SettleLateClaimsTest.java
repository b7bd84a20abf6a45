package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.DeadLetter;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A late claim that can never become a row. */
class SettleLateClaimsTest {

  private final Coupon coupon = aCoupon().withId("FIRST").withTotal(50).build();
  private final Coupon other = aCoupon().withId("SECOND").withTotal(50).build();
  private final World world = World.with(coupon);

  /** Late, and with the id and the code that the row of somebody else has. */
  private void makePoisonOf(String user) throws InterruptedException {
    world.defineCoupon.define(other.definition(), null, OPERATOR);
    for (var each : List.of("ann", user, "bob")) {
      world.claim(coupon, each);
      world.claim(other, each);
    }
    world
        .database
        .userCoupons()
        .record(
            List.of(
                new AcceptedClaim(
                    coupon.id(),
                    new UserId("thief"),
                    new Slot(50),
                    World.PARTITION,
                    world.epoch(),
                    Instant.EPOCH,
                    CouponFixtures.codeKeys()
                        .identityOf(coupon.codeKeyVersion(), coupon.id(), new UserId(user)))));
    world.keeper.recover(World.PARTITION, false);
  }

  @Test
  void it_is_set_aside_alone_and_the_others_get_their_rows() throws InterruptedException {
    makePoisonOf("zoe");

    world.settleAll();

    assertThat(world.row(coupon, "ann")).isPresent();
    assertThat(world.row(coupon, "bob")).isPresent();
    assertThat(world.row(coupon, "zoe")).isEmpty();
    assertThat(world.row(other, "zoe")).isPresent();
    assertThat(world.proof(other).exact()).isTrue();
    assertThat(world.database.lateClaims().next(World.PARTITION, null, 10)).isEmpty();
    assertThat(world.deadLetters())
        .singleElement()
        .satisfies(letter -> assertThat(World.users(letter)).containsExactly(new UserId("zoe")))
        .extracting(DeadLetter::reason)
        .isEqualTo("the database refuses it");
  }

  /** Its stock is gone in an open partition, as where a database has forgotten an archiving. */
  @Test
  void a_coupon_without_stock_does_not_hold_up_the_late_claims_of_others() {
    world.defineCoupon.define(other.definition(), null, OPERATOR);
    world.database.lateClaims().add(List.of(late(coupon, "ann"), late(other, "bob")));
    world.stock.stock().remove(world.epochs.address(coupon));

    world.settleAll();

    assertThat(world.row(other, "bob")).isPresent();
    assertThat(world.database.lateClaims().next(World.PARTITION, null, 10))
        .containsExactly(late(coupon, "ann"));
  }

  private static LateClaim late(Coupon of, String user) {
    return new LateClaim(
        of.id(), new UserId(user), new Slot(1), World.PARTITION, CouponFixtures.ACCEPTED_AT);
  }

  @Test
  void settling_it_once_more_makes_no_second_letter() throws InterruptedException {
    makePoisonOf("zoe");
    var late = world.database.lateClaims().page(coupon.id(), null, 10);
    world.settleAll();

    world.database.lateClaims().add(late);
    world.settleAll();

    assertThat(world.deadLetters()).singleElement().extracting(DeadLetter::attempts).isEqualTo(2);
    assertThat(world.database.lateClaims().next(World.PARTITION, null, 10)).isEmpty();
  }
}
