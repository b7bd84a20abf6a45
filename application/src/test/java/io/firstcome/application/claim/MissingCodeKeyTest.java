package io.firstcome.application.claim;

import static io.firstcome.contracts.CouponFixtures.CODE_KEY_VERSION;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.reconciliation.ExactnessProof;
import io.firstcome.application.recording.SettleLateClaims;
import io.firstcome.application.server.InstalledCodeKeys;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
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
 * This instance has the first code key only. Another instance has a second key as well, and has
 * defined a coupon with it.
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
  private final InMemoryService service = InMemoryService.with(known);
  private final ClaimCoupon claimElsewhere =
      new ClaimCoupon(
          service.catalog,
          new GroupCommit(
              _ -> service.stock.stock(),
              service.epochs,
              CouponFixtures.codeKeys(),
              service.limits.claims(),
              Runnable::run,
              IssuanceObserver.silent()),
          service.refuseSoldOut,
          service.admissionCheck,
          bothKeys,
          service.database.userCoupons(),
          service.findClaim,
          service.arrivals,
          service.keeper,
          service.limits.claims(),
          service.clock,
          IssuanceObserver.silent());

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @BeforeEach
  void defineTheCoupon() {
    service.database.coupons().addIfAbsent(coupon, OPERATOR, CouponFixtures.ACCEPTED_AT);
    service.stockSync.catchUp();
  }

  private ClaimAnswer claimElsewhere(String user) throws InterruptedException {
    return claimElsewhere.claim(coupon.id(), new UserId(user), null);
  }

  @Test
  void a_claim_is_refused_before_a_slot_is_allocated() throws InterruptedException {
    assertThat(service.claim(coupon, "ann")).isEqualTo(new ClaimAnswer.Recovering());

    assertThat(service.logDepth()).isZero();
    assertThat(claimElsewhere("ben"))
        .isEqualTo(
            new ClaimAnswer.Accepted(
                bothKeys.identityOf(SECOND, coupon.id(), new UserId("ben")), new Slot(1)));
  }

  @Test
  void a_recorder_without_the_key_keeps_the_claim_as_late_and_records_the_others()
      throws InterruptedException {
    claimElsewhere("ann");
    claimElsewhere("ben");
    service.claim(known, "cleo");

    service.relayAndRecord();
    service.settleAll();

    assertThat(service.row(known, "cleo")).isPresent();
    assertThat(service.row(coupon, "ann")).isEmpty();
    assertThat(service.deadLetters()).isEmpty();
    assertThat(service.logDepth()).isZero();
    assertThat(service.proof(coupon)).returns(2L, ExactnessProof::unrecorded);
  }

  @Test
  void an_instance_with_the_key_records_the_late_claims_with_the_same_slots()
      throws InterruptedException {
    claimElsewhere("ann");
    claimElsewhere("ben");
    service.relayAndRecord();

    assertThat(settleElsewhere().settle(InMemoryService.PARTITION)).isEqualTo(2);

    assertThat(service.row(coupon, "ben").orElseThrow())
        .returns(new Slot(2), UserCoupon::slot)
        .returns(bothKeys.identityOf(SECOND, coupon.id(), new UserId("ben")), UserCoupon::identity);
    assertThat(service.proof(coupon).exact()).isTrue();
  }

  @Test
  void late_claims_without_a_key_do_not_block_other_late_claims() throws InterruptedException {
    claimElsewhere("ann");
    service.relayAndRecord();
    var behind = aCoupon().withId("NEXT").build();
    service.defineCoupon.define(behind.definition(), null, OPERATOR);
    service.claim(behind, "ben");
    var entries = service.stock.log().readNew(10, Duration.ZERO);
    service.database.lateClaims().add(entries.stream().flatMap(MissingCodeKeyTest::late).toList());

    service.settleAll();

    assertThat(service.row(behind, "ben")).isPresent();
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
  void a_status_that_needs_the_missing_key_is_an_exception() throws InterruptedException {
    claimElsewhere("ann");

    assertThatExceptionOfType(MissingCodeKeyException.class)
        .isThrownBy(() -> service.findClaim.find(coupon.id(), new UserId("ann")));
    assertThat(service.findClaim.find(coupon.id(), new UserId("ben")))
        .isEqualTo(new FindClaim.Result.None());
  }

  @Test
  void a_missing_key_version_is_reported() {
    var keys = new InstalledCodeKeys(service.database.coupons(), CouponFixtures.codeKeys());

    assertThat(keys.weaknesses())
        .extracting(weakness -> weakness.setting() + " is " + weakness.found())
        .containsExactly("firstcome.code-keys.2 is not installed");
    assertThat(new InstalledCodeKeys(service.database.coupons(), bothKeys).weaknesses()).isEmpty();
  }

  private SettleLateClaims settleElsewhere() {
    return new SettleLateClaims(
        service.catalog,
        service.epochs,
        bothKeys,
        service.stock.stock(),
        service.endLeases,
        service.database.userCoupons(),
        service.database.lateClaims(),
        service.lockedCoupons,
        service.keepDeadLetters,
        service.arrivals,
        service.keeper,
        service::archivedRows,
        service.clock,
        service.limits.recording(),
        IssuanceObserver.silent());
  }
}
