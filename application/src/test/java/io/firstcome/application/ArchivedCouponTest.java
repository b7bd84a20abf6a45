package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.ArchiveCoupon.Result;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The life of a coupon of three pieces that another instance has archived; this one has it as it
 * was defined. Ann has slot 1, cy gave slot 2 back, eve has it now, fay has slot 3, and dora was
 * rejected.
 */
@Timeout(60)
class ArchivedCouponTest {

  private static final ClaimAnswer CLOSED = new ClaimAnswer.Refused(new ClaimOutcome.Closed());
  private static final ClaimAnswer RETURNED = new ClaimAnswer.Refused(new ClaimOutcome.Returned());

  private final Coupon coupon = aCoupon().withTotal(3).returningToStock().build();
  private final Coupon other = aCoupon().withId("ZED").build();
  private final World world = World.with(coupon);

  @BeforeEach
  void archivedElsewhere() {
    world.defineCoupon.define(other.definition(), null, OPERATOR);
    world.claim(coupon, "ann");
    world.claim(coupon, "cy");
    world.relayAndRecord();
    giveBack("cy");
    world.claim(coupon, "eve");
    world.claim(coupon, "fay");
    world.database.lateClaims().add(List.of(lateClaimOf(coupon, "dora", 3)));
    world.relayAndRecord();
    world.settleAll();
    world.changeCoupon.change(coupon.id(), Coupon::close, OPERATOR);
    assertThat(world.archiveElsewhere().archive(coupon.id(), OPERATOR))
        .isInstanceOf(Result.Archived.class);
    world.timePasses(Duration.ofSeconds(1));
  }

  private static LateClaim lateClaimOf(Coupon of, String user, int promised) {
    return new LateClaim(
        of.id(), new UserId(user), new Slot(promised), World.PARTITION, ACCEPTED_AT);
  }

  private UserCouponAnswer giveBack(String user) {
    return world.giveBackUserCoupon.giveBack(row(user).id(), Actor.customer(new UserId(user)));
  }

  private UserCoupon row(String user) {
    return world.row(coupon, user).orElseThrow();
  }

  private FindClaim.Result status(String user) {
    return world.findClaim.find(coupon.id(), new UserId(user));
  }

  private void assertClaimsAreAnswered() {
    assertThat(world.claim(coupon, "gus")).isEqualTo(CLOSED);
    assertThat(world.claim(coupon, "ann"))
        .isEqualTo(
            new ClaimAnswer.AlreadyIssued(
                row("ann").identity(), new Slot(1), ClaimAnswer.RowState.ISSUED));
    assertThat(world.claim(coupon, "cy")).isEqualTo(RETURNED);
    assertThat(world.claim(coupon, "dora"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.Rejected()));
  }

  @Test
  void claims_are_answered_from_the_database() {
    assertClaimsAreAnswered();
    world.stock.wipe();
    assertClaimsAreAnswered();
  }

  @Test
  void the_status_of_a_claim_is_the_databases() {
    assertThat(status("gus")).isEqualTo(new FindClaim.Result.None());
    assertThat(status("ann")).isEqualTo(new FindClaim.Result.Recorded(row("ann")));
    assertThat(status("cy")).isEqualTo(new FindClaim.Result.Recorded(row("cy")));
    assertThat(status("dora")).isEqualTo(new FindClaim.Result.Rejected());
    world.stock.wipe();
    assertThat(status("gus")).isEqualTo(new FindClaim.Result.None());
  }

  /** So they are answered with the stock away too. */
  @Test
  void once_that_is_known_the_stock_is_not_asked_any_more() throws InterruptedException {
    var asked = new ArrayList<String>();
    var stock =
        new Interposed(
                (method, _, call) -> {
                  asked.add(method.getName());
                  return call.call();
                })
            .port(CouponStock.class, world.stock.stock());
    var catalog = new CouponCatalog(world.database.coupons(), world.clock);
    var findClaim =
        new FindClaim(
            catalog,
            world.epochs,
            world.database.userCoupons(),
            world.database.lateClaims(),
            stock,
            CouponFixtures.codeKeys(),
            world.clock);
    var claimCoupon =
        new ClaimCoupon(
            catalog,
            new GroupCommit(
                _ -> stock, world.epochs, world.limits, Runnable::run, IssuanceObserver.silent()),
            CouponFixtures.codeKeys(),
            world.database.userCoupons(),
            findClaim,
            world.arrivals,
            world.keeper,
            world.clock,
            IssuanceObserver.silent());
    var gus = new UserId("gus");

    assertThat(claimCoupon.claim(coupon.id(), gus, Duration.ZERO)).isEqualTo(CLOSED);
    assertThat(findClaim.find(coupon.id(), gus)).isEqualTo(new FindClaim.Result.None());
    assertThat(asked).isEmpty();
  }

  @Test
  void while_the_database_is_away_nobody_knows_and_nothing_happens() {
    world.database.goAway();
    assertThat(world.claim(coupon, "ann")).isEqualTo(new ClaimAnswer.Recovering());

    world.database.comeBack();
    world.timePasses(Duration.ofSeconds(1));
    assertClaimsAreAnswered();
  }

  /** Claims that meet a closed fence are many, and hardly ever is an archived coupon the reason. */
  @Test
  void claims_that_meet_a_fence_do_not_each_ask_the_database() {
    var asked = new AtomicInteger();
    var coupons =
        Interposed.before(CouponRepository.class, "find", asked::incrementAndGet)
            .port(CouponRepository.class, world.database.coupons());
    var now = new SettableClock();
    var catalog = new CouponCatalog(coupons, now);
    var open = catalog.find(other.id()).orElseThrow();

    for (int i = 0; i < 100; i++) {
      assertThat(catalog.isArchived(open)).isFalse();
    }
    assertThat(asked.get()).as("when it was first seen, and when first fenced").isEqualTo(2);
    now.advance(Duration.ofMillis(99));
    assertThat(catalog.isArchived(open)).isFalse();
    assertThat(asked.get()).isEqualTo(2);
    now.advance(Duration.ofMillis(1));
    assertThat(catalog.isArchived(open)).isFalse();
    assertThat(asked.get()).isEqualTo(3);
  }

  @Test
  void what_is_archived_stays_so_and_is_not_asked_for_again() {
    assertThat(world.catalog.isArchived(coupon)).isTrue();
    world.database.goAway();
    world.timePasses(Duration.ofSeconds(1));

    assertThat(world.catalog.isArchived(coupon)).isTrue();
    world.catalog.remember(coupon);
    assertThat(world.catalog.find(coupon.id()).orElseThrow().status())
        .as("after somebody's older reading")
        .isEqualTo(CouponStatus.ARCHIVED);
  }

  @Test
  void what_is_given_back_or_revoked_keeps_its_slot() {
    assertThat(giveBack("ann")).isInstanceOf(UserCouponAnswer.Done.class);
    world.revokeUserCoupon.revoke(row("eve").id(), "fraud", OPERATOR);

    assertThat(row("ann").slotWentBack()).isFalse();
    assertThat(row("eve")).isInstanceOf(UserCoupon.Revoked.class);
    assertThat(row("eve").slotWentBack()).isFalse();
    assertThat(world.database.slotReturns().pending(null, 10)).isEmpty();
    assertThat(world.claim(coupon, "ann")).isEqualTo(RETURNED);
  }

  @Test
  void a_late_claim_for_which_no_slot_is_left_is_rejected_and_holds_nobody_up() {
    world
        .database
        .lateClaims()
        .add(
            List.of(
                lateClaimOf(coupon, "gus", 3),
                lateClaimOf(coupon, "ann", 1),
                lateClaimOf(other, "hal", 1)));

    world.settleAll();

    assertThat(status("gus")).isEqualTo(new FindClaim.Result.Rejected());
    assertThat(status("ann")).isEqualTo(new FindClaim.Result.Recorded(row("ann")));
    assertThat(world.row(other, "hal")).isPresent();
  }

  /** Its last trace was a message when the stock lost its data; no ledger has named it since. */
  @Test
  void a_late_claim_gets_a_slot_that_no_row_has() {
    var roomy = archivedWithAnn(4);
    world
        .database
        .lateClaims()
        .add(
            List.of(
                lateClaimOf(roomy, "hal", 1),
                lateClaimOf(roomy, "gus", 3),
                lateClaimOf(roomy, "ivy", 9),
                lateClaimOf(roomy, "jo", 10)));

    world.settleAll();

    assertThat(slotOf(roomy, "hal")).as("the lowest, as ann has hers").isEqualTo(new Slot(2));
    assertThat(slotOf(roomy, "gus")).isEqualTo(new Slot(3));
    assertThat(slotOf(roomy, "ivy"))
        .as("the lowest, as hers is out of range")
        .isEqualTo(new Slot(4));
    assertThat(world.findClaim.find(roomy.id(), new UserId("jo")))
        .isEqualTo(new FindClaim.Result.Rejected());
    assertThat(world.proof(roomy).exact()).isTrue();
  }

  @Test
  void who_loses_a_free_slot_to_another_instance_gets_the_next_without_a_recovery() {
    var roomy = archivedWithAnn(4);
    var epoch = world.database.epochs().current(World.PARTITION);
    world.database.lateClaims().add(List.of(lateClaimOf(roomy, "gus", 3)));
    var others = new ArrayList<>(List.of(lateClaimOf(roomy, "eve", 3)));
    var overtaken =
        Interposed.before(
            LateClaimRepository.class,
            "settle",
            () -> {
              var first = List.copyOf(others);
              others.clear();
              first.forEach(this::recordElsewhere);
            });

    var settle = world.settleLateClaims(overtaken);
    assertThat(settle.settle(World.PARTITION)).isZero();
    world.lookAtTheFence();
    assertThat(settle.settle(World.PARTITION)).isEqualTo(1);

    assertThat(slotOf(roomy, "eve")).isEqualTo(new Slot(3));
    assertThat(slotOf(roomy, "gus")).isEqualTo(new Slot(2));
    assertThat(world.database.epochs().current(World.PARTITION)).isEqualTo(epoch);
  }

  private Coupon archivedWithAnn(int total) {
    var roomy = aCoupon().withId("ROOMY").withTotal(total).build();
    world.defineCoupon.define(roomy.definition(), null, OPERATOR);
    world.claim(roomy, "ann");
    world.relayAndRecord();
    world.changeCoupon.change(roomy.id(), Coupon::close, OPERATOR);
    assertThat(world.archiveElsewhere().archive(roomy.id(), OPERATOR))
        .isInstanceOf(Result.Archived.class);
    world.timePasses(Duration.ofSeconds(1));
    return roomy;
  }

  private void recordElsewhere(LateClaim claim) {
    var identity = CouponFixtures.codeKeys().identityOf(1, claim.couponId(), claim.userId());
    var epoch = world.database.epochs().current(World.PARTITION);
    var accepted =
        new AcceptedClaim(
            claim.couponId(),
            claim.userId(),
            claim.promised(),
            World.PARTITION,
            epoch,
            ACCEPTED_AT,
            identity);
    assertThat(world.database.userCoupons().record(List.of(accepted)))
        .containsExactly(new RecordOutcome.Recorded());
  }

  private Slot slotOf(Coupon of, String user) {
    return world.row(of, user).orElseThrow().slot();
  }

  @Test
  void it_is_not_compared_any_more() {
    var compared = new ArrayList<CouponId>();
    var observer =
        new IssuanceObserver() {
          @Override
          public void couponCompared(CouponId couponId, Duration took) {
            compared.add(couponId);
          }
        };
    var reconcile = world.reconcileCoupons(observer);

    assertThat(reconcile.reconcileNext()).as("the other one is the last one").isTrue();
    assertThat(compared).containsExactly(other.id());
  }

  @Test
  void its_proof_and_what_is_shown_of_it_need_no_stock() {
    world.stock.wipe();
    assertThatExceptionOfType(StockFencedException.class).isThrownBy(() -> world.proof(other));

    var proof = world.proof(coupon);
    assertThat(proof.exact()).isTrue();
    assertThat(proof.total()).isEqualTo(3);
    assertThat(proof.slotsUsed()).isEqualTo(3);
    assertThat(proof.free()).isZero();
    var view = world.readCoupon.read(coupon.id()).orElseThrow();
    assertThat(view.coupon().status()).isEqualTo(CouponStatus.ARCHIVED);
    assertThat(view.remaining()).contains(0);
  }
}
