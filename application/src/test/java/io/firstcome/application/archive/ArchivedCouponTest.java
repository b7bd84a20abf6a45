package io.firstcome.application.archive;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.SettableClock;
import io.firstcome.application.archive.ArchiveCoupon.Result;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.claim.ClaimCoupon;
import io.firstcome.application.claim.FindClaim;
import io.firstcome.application.claim.GroupCommit;
import io.firstcome.application.coupon.InMemoryMaps;
import io.firstcome.application.usercoupon.ReturnRefusal;
import io.firstcome.application.usercoupon.UserCouponAnswer;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.ConsistencyObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
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
 * A coupon with three slots that another instance has archived; this instance still caches it as it
 * was defined. Ann has slot 1, cy returned slot 2, eve has it now, fay has slot 3, and dora was
 * rejected.
 */
@Timeout(60)
class ArchivedCouponTest {

  private static final ClaimAnswer CLOSED = new ClaimAnswer.Refused(new ClaimOutcome.Closed());
  private static final ClaimAnswer RETURNED = new ClaimAnswer.Refused(new ClaimOutcome.Returned());

  private final Coupon coupon = aCoupon().withTotal(3).returningToStock().build();
  private final Coupon other = aCoupon().withId("ZED").build();
  private final InMemoryService service = InMemoryService.with(coupon);

  @BeforeEach
  void archivedElsewhere() {
    service.defineCoupon.define(other.definition(), null, OPERATOR);
    service.claim(coupon, "ann");
    service.claim(coupon, "cy");
    service.relayAndRecord();
    giveBack("cy");
    service.claim(coupon, "eve");
    service.claim(coupon, "fay");
    service.database.lateClaims().add(List.of(lateClaimOf(coupon, "dora", 3)));
    service.relayAndRecord();
    service.settleAll();
    service.changeCoupon.change(coupon.id(), Coupon::close, OPERATOR);
    assertThat(service.archiveElsewhere().archive(coupon.id(), OPERATOR))
        .isInstanceOf(Result.Archived.class);
    service.timePasses(Duration.ofSeconds(1));
  }

  private static LateClaim lateClaimOf(Coupon of, String user, int promised) {
    return new LateClaim(
        of.id(), new UserId(user), new Slot(promised), InMemoryService.PARTITION, ACCEPTED_AT);
  }

  private UserCouponAnswer<ReturnRefusal> giveBack(String user) {
    return service.giveBackUserCoupon.giveBack(row(user).id(), Actor.customer(new UserId(user)));
  }

  private UserCoupon row(String user) {
    return service.row(coupon, user).orElseThrow();
  }

  private FindClaim.Result status(String user) {
    return service.findClaim.find(coupon.id(), new UserId(user));
  }

  private void assertClaimsAreAnswered() {
    assertThat(service.claim(coupon, "gus")).isEqualTo(CLOSED);
    assertThat(service.claim(coupon, "ann"))
        .isEqualTo(
            new ClaimAnswer.AlreadyClaimed(
                row("ann").identity(), new Slot(1), ClaimAnswer.RowState.ISSUED));
    assertThat(service.claim(coupon, "cy")).isEqualTo(RETURNED);
    assertThat(service.claim(coupon, "dora"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.Rejected()));
  }

  @Test
  void claims_are_answered_from_the_database() {
    assertClaimsAreAnswered();
    service.stock.wipe();
    assertClaimsAreAnswered();
  }

  @Test
  void the_status_of_a_claim_is_read_from_the_database() {
    assertThat(status("gus")).isEqualTo(new FindClaim.Result.None());
    assertThat(status("ann")).isEqualTo(new FindClaim.Result.Recorded(row("ann")));
    assertThat(status("cy")).isEqualTo(new FindClaim.Result.Recorded(row("cy")));
    assertThat(status("dora")).isEqualTo(new FindClaim.Result.Rejected());
    service.stock.wipe();
    assertThat(status("gus")).isEqualTo(new FindClaim.Result.None());
  }

  /** So claims are answered also while the stock is not reachable. */
  @Test
  void the_stock_of_a_coupon_known_as_archived_is_not_read() throws InterruptedException {
    var stockCalls = new ArrayList<String>();
    var stock =
        new Interposed(
                (method, _, call) -> {
                  stockCalls.add(method.getName());
                  return call.call();
                })
            .port(CouponStock.class, service.stock.stock());
    var catalog = InMemoryMaps.catalog(service.database.coupons(), service.clock);
    var findClaim =
        new FindClaim(
            catalog,
            service.epochs,
            service.database.userCoupons(),
            service.database.lateClaims(),
            stock,
            CouponFixtures.codeKeys(),
            service.clock);
    var claimCoupon =
        new ClaimCoupon(
            catalog,
            new GroupCommit(
                _ -> stock,
                service.epochs,
                CouponFixtures.codeKeys(),
                service.limits.claims(),
                Runnable::run,
                IssuanceObserver.silent()),
            service.refuseSoldOut,
            service.admissionCheck,
            CouponFixtures.codeKeys(),
            service.database.userCoupons(),
            findClaim,
            service.arrivals,
            service.keeper,
            service.limits.claims(),
            service.clock,
            IssuanceObserver.silent());
    var gus = new UserId("gus");

    assertThat(claimCoupon.claim(coupon.id(), gus, null)).isEqualTo(CLOSED);
    assertThat(findClaim.find(coupon.id(), gus)).isEqualTo(new FindClaim.Result.None());
    assertThat(stockCalls).isEmpty();
  }

  @Test
  void while_the_database_is_unreachable_claims_are_refused_without_effect() {
    service.database.disconnect();
    assertThat(service.claim(coupon, "ann")).isEqualTo(new ClaimAnswer.Recovering());

    service.database.reconnect();
    service.timePasses(Duration.ofSeconds(1));
    assertClaimsAreAnswered();
  }

  /** Many claims may be fenced, and an archived coupon is rarely the reason. */
  @Test
  void fenced_claims_query_the_database_at_most_once_per_interval() {
    var queries = new AtomicInteger();
    var coupons =
        Interposed.before(CouponRepository.class, "find", queries::incrementAndGet)
            .port(CouponRepository.class, service.database.coupons());
    var now = new SettableClock();
    var catalog = InMemoryMaps.catalog(coupons, now);
    var open = catalog.find(other.id()).orElseThrow();

    for (int i = 0; i < 100; i++) {
      assertThat(catalog.isArchived(open)).isFalse();
    }
    assertThat(queries.get()).as("the first lookup and the first fenced claim").isEqualTo(2);
    now.advance(Duration.ofMillis(99));
    assertThat(catalog.isArchived(open)).isFalse();
    assertThat(queries.get()).isEqualTo(2);
    now.advance(Duration.ofMillis(1));
    assertThat(catalog.isArchived(open)).isFalse();
    assertThat(queries.get()).isEqualTo(3);
  }

  @Test
  void an_archived_coupon_stays_archived_and_is_not_read_again() {
    assertThat(service.catalog.isArchived(coupon)).isTrue();
    service.database.disconnect();
    service.timePasses(Duration.ofSeconds(1));

    assertThat(service.catalog.isArchived(coupon)).isTrue();
    service.catalog.remember(coupon);
    assertThat(service.catalog.find(coupon.id()).orElseThrow().status())
        .as("after an older read was cached")
        .isEqualTo(CouponStatus.ARCHIVED);
  }

  @Test
  void a_returned_or_revoked_user_coupon_keeps_its_slot() {
    assertThat(giveBack("ann")).isInstanceOf(UserCouponAnswer.Done.class);
    service.revokeUserCoupon.revoke(row("eve").id(), "fraud", OPERATOR);

    assertThat(row("ann").slotWentBack()).isFalse();
    assertThat(row("eve")).isInstanceOf(UserCoupon.Revoked.class);
    assertThat(row("eve").slotWentBack()).isFalse();
    assertThat(service.database.slotReturns().pending(null, 10)).isEmpty();
    assertThat(service.claim(coupon, "ann")).isEqualTo(RETURNED);
  }

  @Test
  void a_late_claim_without_a_free_slot_is_rejected_and_delays_no_other_claim() {
    service
        .database
        .lateClaims()
        .add(
            List.of(
                lateClaimOf(coupon, "gus", 3),
                lateClaimOf(coupon, "ann", 1),
                lateClaimOf(other, "hal", 1)));

    service.settleAll();

    assertThat(status("gus")).isEqualTo(new FindClaim.Result.Rejected());
    assertThat(status("ann")).isEqualTo(new FindClaim.Result.Recorded(row("ann")));
    assertThat(service.row(other, "hal")).isPresent();
  }

  /** Only a message had the claim when the stock lost its data; no ledger has it since then. */
  @Test
  void a_late_claim_gets_a_slot_that_no_row_has() {
    var roomy = archivedWithAnn(4);
    service
        .database
        .lateClaims()
        .add(
            List.of(
                lateClaimOf(roomy, "hal", 1),
                lateClaimOf(roomy, "gus", 3),
                lateClaimOf(roomy, "ivy", 9),
                lateClaimOf(roomy, "jo", 10)));

    service.settleAll();

    assertThat(slotOf(roomy, "hal"))
        .as("the lowest free one, as ann has the promised one")
        .isEqualTo(new Slot(2));
    assertThat(slotOf(roomy, "gus")).isEqualTo(new Slot(3));
    assertThat(slotOf(roomy, "ivy"))
        .as("the lowest free one, as the promised one is out of range")
        .isEqualTo(new Slot(4));
    assertThat(service.findClaim.find(roomy.id(), new UserId("jo")))
        .isEqualTo(new FindClaim.Result.Rejected());
    assertThat(service.proof(roomy).exact()).isTrue();
  }

  @Test
  void a_claim_that_loses_a_free_slot_to_another_instance_gets_the_next_slot_without_a_recovery() {
    var roomy = archivedWithAnn(4);
    var epoch = service.database.epochs().current(InMemoryService.PARTITION);
    service.database.lateClaims().add(List.of(lateClaimOf(roomy, "gus", 3)));
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

    var settle = service.settleLateClaims(overtaken);
    assertThat(settle.settle(InMemoryService.PARTITION)).isZero();
    service.checkTheFence();
    assertThat(settle.settle(InMemoryService.PARTITION)).isEqualTo(1);

    assertThat(slotOf(roomy, "eve")).isEqualTo(new Slot(3));
    assertThat(slotOf(roomy, "gus")).isEqualTo(new Slot(2));
    assertThat(service.database.epochs().current(InMemoryService.PARTITION)).isEqualTo(epoch);
  }

  private Coupon archivedWithAnn(int total) {
    var roomy = aCoupon().withId("ROOMY").withTotal(total).build();
    service.defineCoupon.define(roomy.definition(), null, OPERATOR);
    service.claim(roomy, "ann");
    service.relayAndRecord();
    service.changeCoupon.change(roomy.id(), Coupon::close, OPERATOR);
    assertThat(service.archiveElsewhere().archive(roomy.id(), OPERATOR))
        .isInstanceOf(Result.Archived.class);
    service.timePasses(Duration.ofSeconds(1));
    return roomy;
  }

  private void recordElsewhere(LateClaim claim) {
    var identity = CouponFixtures.codeKeys().identityOf(1, claim.couponId(), claim.userId());
    var epoch = service.database.epochs().current(InMemoryService.PARTITION);
    var accepted =
        new AcceptedClaim(
            claim.couponId(),
            claim.userId(),
            claim.promised(),
            InMemoryService.PARTITION,
            epoch,
            ACCEPTED_AT,
            identity);
    assertThat(service.database.userCoupons().record(List.of(accepted)))
        .containsExactly(new RecordOutcome.Recorded());
  }

  private Slot slotOf(Coupon of, String user) {
    return service.row(of, user).orElseThrow().slot();
  }

  @Test
  void an_archived_coupon_is_not_compared() {
    var compared = new ArrayList<CouponId>();
    IssuanceObserver observer =
        observation -> {
          if (observation instanceof ConsistencyObservation.CouponCompared(CouponId couponId, _)) {
            compared.add(couponId);
          }
        };
    var reconcile = service.reconcileCoupons(observer);

    assertThat(reconcile.reconcileNext()).as("the other coupon is the last one").isTrue();
    assertThat(compared).containsExactly(other.id());
  }

  @Test
  void the_proof_and_the_view_of_an_archived_coupon_need_no_stock() {
    service.stock.wipe();
    assertThatExceptionOfType(StockFencedException.class).isThrownBy(() -> service.proof(other));

    var proof = service.proof(coupon);
    assertThat(proof.exact()).isTrue();
    assertThat(proof.total()).isEqualTo(3);
    assertThat(proof.slotsUsed()).isEqualTo(3);
    assertThat(proof.free()).isZero();
    var view = service.readCoupon.read(coupon.id()).orElseThrow();
    assertThat(view.coupon().status()).isEqualTo(CouponStatus.ARCHIVED);
    assertThat(view.remaining()).contains(0);
  }
}
