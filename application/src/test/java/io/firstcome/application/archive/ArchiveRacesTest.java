package io.firstcome.application.archive;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.archive.ArchiveCoupon.Result;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.claim.FindClaim;
import io.firstcome.application.recovery.RecoverStock;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockRecovery;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archiving of a closed coupon, concurrent with other operations on its stock. */
@Timeout(60)
class ArchiveRacesTest {

  private static final ClaimAnswer CLOSED = new ClaimAnswer.Refused(new ClaimOutcome.Closed());

  private final Coupon coupon = aCoupon().withTotal(3).build();
  private final Coupon other = aCoupon().withId("ZED").build();
  private final InMemoryService service = InMemoryService.with(other);

  private void claimAndClose() {
    service.claim(coupon, "ann");
    service.relayAndRecord();
    service.changeCoupon.change(coupon.id(), Coupon::close, OPERATOR);
  }

  private void archive() {
    assertThat(service.archiveElsewhere().archive(coupon.id(), OPERATOR))
        .isInstanceOf(Result.Archived.class);
  }

  private InMemoryService closed() {
    service.defineCoupon.define(coupon.definition(), null, OPERATOR);
    claimAndClose();
    return service;
  }

  private Coupon stored() {
    return service.database.coupons().find(coupon.id()).orElseThrow();
  }

  /** Commits the archiving as an instance that dies before it removes the stock. */
  private void commit() {
    if (stored().archive() instanceof CouponChange.Changed change) {
      assertThat(service.database.coupons().change(change, OPERATOR, ACCEPTED_AT)).isTrue();
    }
  }

  private void assertRemoved() {
    assertThat(stored().status()).isEqualTo(CouponStatus.ARCHIVED);
    assertThat(service.stock.marks(InMemoryService.PARTITION, coupon.id())).isEmpty();
    assertThatExceptionOfType(StockFencedException.class)
        .isThrownBy(() -> service.stock.stock().level(service.epochs.address(coupon)));
    assertThat(service.database.coupons().unapplied(null, 10)).isEmpty();
    assertThat(service.claim(coupon, "bob")).isEqualTo(CLOSED);
    assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.AlreadyClaimed.class);
    assertThat(service.claim(other, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  /**
   * Found by the simulation: the row was read before it was written, the ledger after its removal.
   */
  @Test
  void a_claim_is_found_if_it_is_recorded_and_its_ledger_removed_between_two_reads() {
    service.defineCoupon.define(coupon.definition(), null, OPERATOR);
    service.claim(coupon, "ann");
    var stock =
        Interposed.before(
                CouponStock.class,
                "find",
                () -> {
                  claimAndClose();
                  archive();
                })
            .port(CouponStock.class, service.stock.stock());
    var findClaim =
        new FindClaim(
            service.catalog,
            service.epochs,
            service.database.userCoupons(),
            service.database.lateClaims(),
            stock,
            CouponFixtures.codeKeys(),
            service.clock);

    assertThat(findClaim.find(coupon.id(), new UserId("ann")))
        .isInstanceOf(FindClaim.Result.Recorded.class);
  }

  @Test
  void an_emptied_server_is_rebuilt_without_the_archived_coupon() {
    closed();
    archive();
    service.stock.wipe();

    service.checkTheFence();

    assertRemoved();
  }

  @Test
  void a_server_that_lost_the_removal_is_cleared_of_the_archived_coupon() {
    closed();
    var copy = service.stock.copy();
    archive();
    service.stock.setBackTo(copy);
    assertThat(service.stock.marks(InMemoryService.PARTITION, coupon.id())).isNotEmpty();

    service.checkTheFence();
    clearArchived();

    assertRemoved();
  }

  private void clearArchived() {
    while (service.clearArchivedCoupons.clearNext()) {
      // Until nothing is left to clear.
    }
  }

  /** A recovery does not wait for the clearing; the stale ledger allocates no slot until then. */
  @Test
  void a_lost_removal_delays_no_recovery_and_issues_no_slot() {
    closed();
    var copy = service.stock.copy();
    archive();
    service.stock.setBackTo(copy);

    service.checkTheFence();

    assertThat(service.stock.marks(InMemoryService.PARTITION, coupon.id())).isNotEmpty();
    assertThat(service.claim(other, "cy")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(service.claim(coupon, "bob")).isEqualTo(CLOSED);
    assertThatExceptionOfType(StockFencedException.class)
        .isThrownBy(() -> service.stock.stock().level(service.epochs.address(coupon)));
    clearArchived();
    assertRemoved();
  }

  /**
   * The removal of a coupon that was archived in this epoch leaves a note that fences late
   * creations. If clearing came first, a late creation could create the stock again with all slots.
   */
  @Test
  void a_coupon_archived_in_this_epoch_is_not_cleared_before_its_removal() {
    closed();
    service.stock.restart();
    service.checkTheFence();
    commit();

    clearArchived();

    assertThat(service.stock.marks(InMemoryService.PARTITION, coupon.id())).isNotEmpty();
    service.stockSync.catchUp();
    assertRemoved();
  }

  /** Whether archived before, during or after the recovery: finally the stock has no data of it. */
  @ParameterizedTest
  @ValueSource(strings = {"fence", "begin", "clearFree", "ready", "open"})
  void a_coupon_archived_at_any_step_of_a_recovery_is_removed(String step)
      throws InterruptedException {
    closed();
    var ports = Interposed.before(StockRecovery.class, step, this::commit);

    service
        .recoverStock(ports)
        .recoverNow(InMemoryService.PARTITION, RecoverStock.Database.CURRENT);
    service.stockSync.catchUp();

    assertRemoved();
  }

  @Test
  void a_removal_is_refused_during_a_recovery_and_done_afterwards() throws InterruptedException {
    closed();
    var refused = new AtomicInteger();
    var ports =
        Interposed.before(
            StockRecovery.class,
            "clearFree",
            () -> {
              commit();
              assertThatExceptionOfType(StockFencedException.class)
                  .isThrownBy(() -> service.stockSync.ensure(stored()));
              refused.incrementAndGet();
            });

    service
        .recoverStock(ports)
        .recoverNow(InMemoryService.PARTITION, RecoverStock.Database.CURRENT);

    assertThat(refused.get()).isPositive();
    assertThat(service.stock.marks(InMemoryService.PARTITION, coupon.id())).isNotEmpty();
    assertThat(service.database.coupons().unapplied(null, 10)).containsExactly(stored());
    service.stockSync.catchUp();
    assertRemoved();
  }

  /** One instance creates the stock of a new coupon after others have created and archived it. */
  private void createLate(Runnable afterTheRemoval) {
    service.database.coupons().addIfAbsent(coupon, OPERATOR, ACCEPTED_AT);
    var slow =
        Interposed.before(
                CouponStock.class,
                "create",
                () -> {
                  service.stockSync.catchUp();
                  claimAndClose();
                  archive();
                  afterTheRemoval.run();
                })
            .port(CouponStock.class, service.stock.stock());
    service.stockSync(slow).catchUp();
  }

  @Test
  void a_creation_after_the_removal_does_not_restore_the_stock() {
    createLate(() -> {});

    assertRemoved();
  }

  /** The partition was recovered between the removal and the creation. */
  @Test
  void a_creation_in_an_earlier_epoch_does_not_restore_the_stock() {
    createLate(() -> {
      service.stock.restart();
      service.checkTheFence();
    });

    assertRemoved();
  }

  @Test
  void terms_applied_after_the_removal_do_not_restore_the_stock() {
    service.defineCoupon.define(coupon.definition(), null, OPERATOR);
    service.changeCoupon.change(coupon.id(), Coupon::pause, OPERATOR);
    service.changeCoupon.change(coupon.id(), Coupon::resume, OPERATOR);
    var resumed = stored();
    var slow =
        Interposed.before(
                CouponStock.class,
                "apply",
                () -> {
                  claimAndClose();
                  archive();
                })
            .port(CouponStock.class, service.stock.stock());
    var address = service.epochs.address(coupon);

    assertThatExceptionOfType(StockFencedException.class)
        .isThrownBy(() -> slow.apply(address, StockTerms.of(resumed)));

    assertRemoved();
  }
}
