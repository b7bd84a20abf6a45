package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.CODE_KEY_VERSION;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.usercoupon.MissingCodeKeyException;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The world's instance has the first code key only. Another instance has a second key as well, and
 * has defined a coupon with it.
 */
class MissingCodeKeyTest {

  private static final int SECOND = CODE_KEY_VERSION + 1;

  private final CodeKeys bothKeys =
      new CodeKeys(
          Map.of(
              CODE_KEY_VERSION, key("the first one of the other instance"),
              SECOND, key("the second one of the other instance")),
          SECOND);
  private final Coupon known = aCoupon().withId("KNOWN").build();
  private final Coupon coupon =
      aCoupon().withId("BEHIND").withTotal(3).withCodeKeyVersion(SECOND).build();
  private final World world = World.with(known);
  private final ClaimCoupon claimElsewhere =
      new ClaimCoupon(
          world.catalog,
          new GroupCommit(
              _ -> world.stock.stock(),
              world.epochs,
              world.limits,
              Runnable::run,
              IssuanceObserver.silent()),
          bothKeys,
          world.database.userCoupons(),
          world.findClaim,
          world.arrivals,
          world.keeper,
          world.clock,
          IssuanceObserver.silent());

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @BeforeEach
  void defineTheCoupon() {
    world.database.coupons().addIfAbsent(coupon, OPERATOR, CouponFixtures.ACCEPTED_AT);
    world.bringToStock.catchUp();
  }

  private ClaimAnswer claimElsewhere(String user) throws InterruptedException {
    return claimElsewhere.claim(coupon.id(), new UserId(user), Duration.ZERO);
  }

  @Test
  void a_claim_is_refused_before_its_slot_is_taken() throws InterruptedException {
    assertThat(world.claim(coupon, "ann")).isEqualTo(new ClaimAnswer.Recovering());

    assertThat(world.logDepth()).isZero();
    assertThat(claimElsewhere("ben"))
        .isEqualTo(
            new ClaimAnswer.Accepted(
                bothKeys.identityOf(SECOND, coupon.id(), new UserId("ben")), new Slot(1)));
  }

  @Test
  void a_recorder_leaves_the_claim_to_others_and_records_the_rest_of_the_batch()
      throws InterruptedException {
    claimElsewhere("ann");
    claimElsewhere("ben");
    world.claim(known, "cleo");

    world.relayAndRecord();
    world.settleAll();

    assertThat(world.row(known, "cleo")).isPresent();
    assertThat(world.row(coupon, "ann")).isEmpty();
    assertThat(world.deadLetters()).isEmpty();
    assertThat(world.logDepth()).isZero();
    assertThat(world.proof(coupon)).returns(2L, ExactnessProof::unrecorded);
  }

  @Test
  void an_instance_with_the_key_records_what_was_left_with_the_same_slots()
      throws InterruptedException {
    claimElsewhere("ann");
    claimElsewhere("ben");
    world.relayAndRecord();

    assertThat(settleElsewhere().settle(World.PARTITION)).isEqualTo(2);

    assertThat(world.row(coupon, "ben").orElseThrow())
        .returns(new Slot(2), UserCoupon::slot)
        .returns(bothKeys.identityOf(SECOND, coupon.id(), new UserId("ben")), UserCoupon::identity);
    assertThat(world.proof(coupon).exact()).isTrue();
  }

  @Test
  void late_claims_without_key_hold_no_others_up() throws InterruptedException {
    claimElsewhere("ann");
    world.relayAndRecord();
    var behind = aCoupon().withId("NEXT").build();
    world.defineCoupon.define(behind.definition(), null, OPERATOR);
    world.claim(behind, "ben");
    var entries = world.stock.log().readNew(10, Duration.ZERO);
    world.database.lateClaims().add(entries.stream().flatMap(MissingCodeKeyTest::late).toList());

    world.settleAll();

    assertThat(world.row(behind, "ben")).isPresent();
  }

  private static Stream<LateClaim> late(HandoffEntry entry) {
    return entry.claims().stream()
        .map(claim ->
            new LateClaim(
                entry.couponId(),
                claim.userId(),
                claim.slot(),
                entry.reference().partition(),
                entry.acceptedAt()));
  }

  @Test
  void a_status_that_needs_the_key_is_not_answered() throws InterruptedException {
    claimElsewhere("ann");

    assertThatExceptionOfType(MissingCodeKeyException.class)
        .isThrownBy(() -> world.findClaim.find(coupon.id(), new UserId("ann")));
    assertThat(world.findClaim.find(coupon.id(), new UserId("ben")))
        .isEqualTo(new FindClaim.Result.None());
  }

  @Test
  void a_version_that_is_missing_is_named() {
    var keys = new InstalledCodeKeys(world.database.coupons(), CouponFixtures.codeKeys());

    assertThat(keys.weaknesses())
        .extracting(weakness -> weakness.setting() + " is " + weakness.found())
        .containsExactly("firstcome.code-keys.2 is not installed");
    assertThat(new InstalledCodeKeys(world.database.coupons(), bothKeys).weaknesses()).isEmpty();
  }

  private SettleLateClaims settleElsewhere() {
    return new SettleLateClaims(
        world.catalog,
        world.epochs,
        bothKeys,
        world.stock.stock(),
        world.database.userCoupons(),
        world.database.lateClaims(),
        world.lockedCoupons,
        world.keepDeadLetters,
        world.arrivals,
        world.keeper,
        world.clock,
        world.limits,
        IssuanceObserver.silent());
  }
}
