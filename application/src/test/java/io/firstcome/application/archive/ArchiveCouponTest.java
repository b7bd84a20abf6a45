package io.firstcome.application.archive;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.archive.ArchiveCoupon.Result;
import io.firstcome.application.archive.ArchivePreconditions.Open;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.coupon.ChangeCoupon;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponChange.Refused.Reason;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Archiving of a coupon with three slots, two of which are issued to ann and bob. */
@Timeout(60)
class ArchiveCouponTest {

  private final Coupon coupon = aCoupon().withTotal(3).returningToStock().build();
  private final InMemoryService service = InMemoryService.with(coupon);
  private final ArchiveCoupon archiveCoupon = service.archiveElsewhere();

  private void claimedByAnnAndBob() {
    service.claim(coupon, "ann");
    service.claim(coupon, "bob");
    service.relayAndRecord();
  }

  private void closed() {
    claimedByAnnAndBob();
    assertThat(change(Coupon::close)).isInstanceOf(ChangeCoupon.Result.Done.class);
  }

  private Coupon archived() {
    closed();
    assertThat(archive()).isEqualTo(new Result.Archived(stored()));
    return stored();
  }

  private ChangeCoupon.Result change(Function<Coupon, CouponChange> operation) {
    return service.changeCoupon.change(coupon.id(), operation, OPERATOR);
  }

  private Result archive() {
    return archiveCoupon.archive(coupon.id(), OPERATOR);
  }

  private Coupon stored() {
    return service.database.coupons().find(coupon.id()).orElseThrow();
  }

  private void assertNoStock() {
    assertThat(service.stock.marks(InMemoryService.PARTITION, coupon.id())).isEmpty();
    assertThatExceptionOfType(StockFencedException.class)
        .isThrownBy(() -> service.stock.stock().level(service.epochs.address(coupon)));
    assertThat(service.database.coupons().unapplied(null, 10)).isEmpty();
  }

  private void assertNotSettled(Open... open) {
    assertThat(archive()).isEqualTo(new Result.NotSettled(Set.of(open)));
    assertThat(stored().status()).isEqualTo(CouponStatus.CLOSED);
  }

  @Test
  void a_closed_and_recorded_coupon_is_archived_and_its_stock_is_removed() {
    var archived = archived();

    assertThat(archived.status()).isEqualTo(CouponStatus.ARCHIVED);
    assertNoStock();
    assertThat(service.database.audit().ofCoupon(coupon.id(), null, 1))
        .extracting(kept -> kept.entry().action())
        .containsExactly(AuditEntry.Action.ARCHIVE);
    assertThat(archive()).isEqualTo(new Result.Archived(archived));
    assertThat(change(Coupon::resume))
        .isEqualTo(new ChangeCoupon.Result.Refused(Reason.ARCHIVED_FOR_GOOD));
  }

  @Test
  void an_open_coupon_and_an_unknown_coupon_are_not_archived() {
    claimedByAnnAndBob();

    assertThat(archive()).isEqualTo(new Result.Refused(Reason.NOT_CLOSED));
    assertThat(archiveCoupon.archive(new CouponId("NOWHERE"), OPERATOR))
        .isEqualTo(new Result.Unknown());
    assertThat(service.claim(coupon, "cy")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void an_unrecorded_claim_prevents_archiving() {
    service.claim(coupon, "ann");
    change(Coupon::close);
    assertNotSettled(Open.UNRECORDED_CLAIMS);

    service.relayAndRecord();
    assertThat(archive()).isInstanceOf(Result.Archived.class);
  }

  /** An instance died after it committed the closing: the stock still allocates slots. */
  @Test
  void a_close_that_the_stock_has_not_applied_prevents_archiving() {
    claimedByAnnAndBob();
    var change = (CouponChange.Changed) stored().close();
    assertThat(service.database.coupons().change(change, OPERATOR, ACCEPTED_AT)).isTrue();
    assertNotSettled(Open.CLOSING);
    assertThat(service.claim(coupon, "cy")).isInstanceOf(ClaimAnswer.Accepted.class);
    service.relayAndRecord();

    service.stockSync.catchUp();
    assertThat(archive()).isInstanceOf(Result.Archived.class);
    assertThat(service.row(coupon, "cy")).isPresent();
  }

  /** The closing is noted as applied, but the master that applied it was replaced since. */
  @Test
  void a_close_that_the_stock_lacks_is_applied_before_the_preconditions_are_checked() {
    claimedByAnnAndBob();
    var change = (CouponChange.Changed) stored().close();
    assertThat(service.database.coupons().change(change, OPERATOR, ACCEPTED_AT)).isTrue();
    service.database.coupons().noteApplied(coupon.id(), 2);

    assertThat(service.archivePreconditions(service.proveExactness).look(stored())).isEmpty();

    assertThat(service.claim(coupon, "cy"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.Closed()));
  }

  /** This instance missed a recovery and still reaches the master that was replaced. */
  @Test
  void a_stock_of_an_earlier_epoch_prevents_archiving() {
    closed();
    service.database.epochs().raise(InMemoryService.PARTITION, service.epoch().next());

    assertThat(archive()).isEqualTo(new Result.StockUnreachable());
    assertThat(stored().status()).isEqualTo(CouponStatus.CLOSED);
  }

  @Test
  void a_discrepancy_prevents_archiving() {
    closed();
    service.stock.stock().adopt(service.epochs.address(coupon), List.of(lateClaimOf("cy", 3)));
    assertNotSettled(Open.DISCREPANCIES);
  }

  @Test
  void a_late_claim_prevents_archiving() {
    closed();
    service.database.lateClaims().add(List.of(lateClaimOf("cy", 3)));
    assertNotSettled(Open.LATE_CLAIMS);

    service.settleAll();
    assertThat(archive()).isInstanceOf(Result.Archived.class);
    assertThat(service.row(coupon, "cy")).isPresent();
  }

  @Test
  void a_pending_slot_return_prevents_archiving() {
    closed();
    giveBackWithoutRelease("ann");
    assertNotSettled(Open.SLOT_RETURNS);

    service.releaseSlots.catchUp();
    assertThat(archive()).isInstanceOf(Result.Archived.class);
  }

  @Test
  void an_unreachable_stock_prevents_archiving() {
    closed();
    service.stock.restart();

    assertThat(archive()).isEqualTo(new Result.StockUnreachable());
    assertThat(stored().status()).isEqualTo(CouponStatus.CLOSED);
  }

  private LateClaim lateClaimOf(String user, int promised) {
    return new LateClaim(
        coupon.id(), new UserId(user), new Slot(promised), InMemoryService.PARTITION, ACCEPTED_AT);
  }

  /** Returns the user coupon as an instance that dies between the commit and the release. */
  private void giveBackWithoutRelease(String user) {
    var row = (UserCoupon.Issued) service.row(coupon, user).orElseThrow();
    var now = row.issuedAt();
    var change =
        new UserCouponChange(row, row.giveBack(now, true), Actor.customer(row.userId()), now);
    assertThat(service.database.userCoupons().change(change)).isTrue();
  }

  @Test
  void concurrent_archive_requests_all_succeed() throws Exception {
    closed();
    var all = Collections.nCopies(20, (Callable<Result>) this::archive);
    try (var threads = Executors.newFixedThreadPool(8)) {
      for (var each : threads.invokeAll(all)) {
        assertThat(each.get()).isEqualTo(new Result.Archived(stored()));
      }
    }
    assertThat(stored().revision()).isEqualTo(3);
    assertNoStock();
  }

  /** The user coupon is returned between check and commit; no stock is left for its slot. */
  @Test
  void a_slot_return_just_before_the_commit_is_completed() {
    closed();
    var coupons =
        Interposed.before(CouponRepository.class, "change", () -> giveBackWithoutRelease("ann"))
            .port(CouponRepository.class, service.database.coupons());

    assertThat(service.archiveElsewhere(coupons, service.stockSync).archive(coupon.id(), OPERATOR))
        .isInstanceOf(Result.Archived.class);

    assertThat(service.database.slotReturns().isPending(coupon.id())).isTrue();
    service.releaseSlots.catchUp();
    assertThat(service.database.slotReturns().isPending(coupon.id())).isFalse();
    assertThat(service.row(coupon, "ann").orElseThrow()).isInstanceOf(UserCoupon.Returned.class);
    assertNoStock();
  }

  @Test
  void an_archiving_whose_instance_died_is_completed_by_another_instance() {
    closed();
    var change = (CouponChange.Changed) stored().archive();
    assertThat(service.database.coupons().change(change, OPERATOR, ACCEPTED_AT)).isTrue();
    assertThat(service.stock.marks(InMemoryService.PARTITION, coupon.id())).hasSize(2);

    service.stockSync.catchUp();

    assertNoStock();
  }

  @Test
  void an_archiving_is_committed_and_completed_later_if_the_stock_fails_before_the_removal() {
    closed();
    var stock =
        Interposed.before(CouponStock.class, "remove", service.stock::restart)
            .port(CouponStock.class, service.stock.stock());

    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() ->
            service
                .archiveElsewhere(service.database.coupons(), service.stockSync(stock))
                .archive(coupon.id(), OPERATOR));
    assertThat(stored().status()).isEqualTo(CouponStatus.ARCHIVED);
    assertThat(service.stock.marks(InMemoryService.PARTITION, coupon.id())).hasSize(2);

    service.checkTheFence();
    service.stockSync.catchUp();
    assertNoStock();
    assertThat(archive()).isEqualTo(new Result.Archived(stored()));
  }
}
