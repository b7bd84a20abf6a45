package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.ArchiveCoupon.Result;
import io.firstcome.application.LookWhatIsOpen.Open;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponChange.Refused.Reason;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LateClaim;
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

/** When a coupon is archived: of three pieces, two of which ann and bob have. */
@Timeout(60)
class ArchiveCouponTest {

  private final Coupon coupon = aCoupon().withTotal(3).returningToStock().build();
  private final World world = World.with(coupon);
  private final ArchiveCoupon archiveCoupon = world.archiveElsewhere();

  private void claimedByAnnAndBob() {
    world.claim(coupon, "ann");
    world.claim(coupon, "bob");
    world.relayAndRecord();
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

  private ChangeCoupon.Result change(Function<Coupon, CouponChange> wish) {
    return world.changeCoupon.change(coupon.id(), wish, OPERATOR);
  }

  private Result archive() {
    return archiveCoupon.archive(coupon.id(), OPERATOR);
  }

  private Coupon stored() {
    return world.database.coupons().find(coupon.id()).orElseThrow();
  }

  private void assertNoStock() {
    assertThat(world.stock.marks(World.PARTITION, coupon.id())).isEmpty();
    assertThatExceptionOfType(StockFencedException.class)
        .isThrownBy(() -> world.stock.stock().level(world.epochs.address(coupon)));
    assertThat(world.database.coupons().notYetInStock(null, 10)).isEmpty();
  }

  private void assertNotSettled(Open... open) {
    assertThat(archive()).isEqualTo(new Result.NotSettled(Set.of(open)));
    assertThat(stored().status()).isEqualTo(CouponStatus.CLOSED);
  }

  @Test
  void a_closed_and_recorded_coupon_is_archived_and_its_stock_is_gone() {
    var archived = archived();

    assertThat(archived.status()).isEqualTo(CouponStatus.ARCHIVED);
    assertNoStock();
    assertThat(world.database.audit().ofCoupon(coupon.id(), null, 1))
        .extracting(kept -> kept.entry().action())
        .containsExactly(AuditEntry.Action.ARCHIVE);
    assertThat(archive()).isEqualTo(new Result.Archived(archived));
    assertThat(change(Coupon::resume))
        .isEqualTo(new ChangeCoupon.Result.Refused(Reason.ARCHIVED_FOR_GOOD));
  }

  @Test
  void an_open_coupon_and_one_that_is_not_there_are_not_archived() {
    claimedByAnnAndBob();

    assertThat(archive()).isEqualTo(new Result.Refused(Reason.NOT_CLOSED));
    assertThat(archiveCoupon.archive(new CouponId("NOWHERE"), OPERATOR))
        .isEqualTo(new Result.Unknown());
    assertThat(world.claim(coupon, "cy")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void what_was_claimed_and_is_not_recorded_keeps_it() {
    world.claim(coupon, "ann");
    change(Coupon::close);
    assertNotSettled(Open.UNRECORDED_CLAIMS);

    world.relayAndRecord();
    assertThat(archive()).isInstanceOf(Result.Archived.class);
  }

  /** As by an instance that dies after it committed the closing: the stock goes on giving slots. */
  @Test
  void a_closing_that_the_stock_does_not_have_keeps_it() {
    claimedByAnnAndBob();
    var change = (CouponChange.Changed) stored().close();
    assertThat(world.database.coupons().change(change, OPERATOR, ACCEPTED_AT)).isTrue();
    assertNotSettled(Open.CLOSING);
    assertThat(world.claim(coupon, "cy")).isInstanceOf(ClaimAnswer.Accepted.class);
    world.relayAndRecord();

    world.bringToStock.catchUp();
    assertThat(archive()).isInstanceOf(Result.Archived.class);
    assertThat(world.row(coupon, "cy")).isPresent();
  }

  /** Who noted that the stock had the closing had told a master that was left since. */
  @Test
  void a_stock_that_was_never_told_of_the_closing_is_told_before_it_is_looked_at() {
    claimedByAnnAndBob();
    var change = (CouponChange.Changed) stored().close();
    assertThat(world.database.coupons().change(change, OPERATOR, ACCEPTED_AT)).isTrue();
    world.database.coupons().nowInStock(coupon.id(), 2);

    assertThat(world.lookWhatIsOpen(world.proveExactness).look(stored())).isEmpty();

    assertThat(world.claim(coupon, "cy"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.Closed()));
  }

  /** This instance has slept through a recovery, and sees a master that was left. */
  @Test
  void a_stock_of_an_epoch_that_is_over_keeps_it() {
    closed();
    world.database.epochs().raise(World.PARTITION, world.epoch().next());

    assertThat(archive()).isEqualTo(new Result.StockAway());
    assertThat(stored().status()).isEqualTo(CouponStatus.CLOSED);
  }

  @Test
  void what_disagrees_keeps_it() {
    closed();
    world.stock.stock().adopt(world.epochs.address(coupon), List.of(lateClaimOf("cy", 3)));
    assertNotSettled(Open.DISCREPANCIES);
  }

  @Test
  void a_late_claim_keeps_it() {
    closed();
    world.database.lateClaims().add(List.of(lateClaimOf("cy", 3)));
    assertNotSettled(Open.LATE_CLAIMS);

    world.settleAll();
    assertThat(archive()).isInstanceOf(Result.Archived.class);
    assertThat(world.row(coupon, "cy")).isPresent();
  }

  @Test
  void a_slot_on_its_way_back_keeps_it() {
    closed();
    giveBackWithoutRelease("ann");
    assertNotSettled(Open.SLOT_RETURNS);

    world.releaseSlots.catchUp();
    assertThat(archive()).isInstanceOf(Result.Archived.class);
  }

  @Test
  void a_stock_that_cannot_be_asked_keeps_it() {
    closed();
    world.stock.restart();

    assertThat(archive()).isEqualTo(new Result.StockAway());
    assertThat(stored().status()).isEqualTo(CouponStatus.CLOSED);
  }

  private LateClaim lateClaimOf(String user, int promised) {
    return new LateClaim(
        coupon.id(), new UserId(user), new Slot(promised), World.PARTITION, ACCEPTED_AT);
  }

  /** As by an instance that dies between the commit and the release. */
  private void giveBackWithoutRelease(String user) {
    var row = (UserCoupon.Issued) world.row(coupon, user).orElseThrow();
    var now = row.issuedAt();
    var change =
        new UserCouponChange(row, row.giveBack(now, true), Actor.customer(row.userId()), now);
    assertThat(world.database.userCoupons().change(change)).isTrue();
  }

  @Test
  void operators_who_archive_at_once_all_hear_that_it_is_done() throws Exception {
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

  /** It ends between the look and the commit, and has no stock to give its slot to. */
  @Test
  void a_slot_that_goes_back_right_before_the_commit_is_done_with_all_the_same() {
    closed();
    var coupons =
        Interposed.before(CouponRepository.class, "change", () -> giveBackWithoutRelease("ann"))
            .port(CouponRepository.class, world.database.coupons());

    assertThat(world.archiveElsewhere(coupons, world.bringToStock).archive(coupon.id(), OPERATOR))
        .isInstanceOf(Result.Archived.class);

    assertThat(world.database.slotReturns().isPending(coupon.id())).isTrue();
    world.releaseSlots.catchUp();
    assertThat(world.database.slotReturns().isPending(coupon.id())).isFalse();
    assertThat(world.row(coupon, "ann").orElseThrow()).isInstanceOf(UserCoupon.Returned.class);
    assertNoStock();
  }

  @Test
  void an_archiving_whose_instance_died_is_brought_to_the_stock_by_another() {
    closed();
    var change = (CouponChange.Changed) stored().archive();
    assertThat(world.database.coupons().change(change, OPERATOR, ACCEPTED_AT)).isTrue();
    assertThat(world.stock.marks(World.PARTITION, coupon.id())).hasSize(2);

    world.bringToStock.catchUp();

    assertNoStock();
  }

  @Test
  void with_the_stock_gone_before_its_removal_it_is_committed_and_heals() {
    closed();
    var stock =
        Interposed.before(CouponStock.class, "remove", world.stock::restart)
            .port(CouponStock.class, world.stock.stock());

    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() ->
            world
                .archiveElsewhere(world.database.coupons(), world.bringToStock(stock))
                .archive(coupon.id(), OPERATOR));
    assertThat(stored().status()).isEqualTo(CouponStatus.ARCHIVED);
    assertThat(world.stock.marks(World.PARTITION, coupon.id())).hasSize(2);

    world.lookAtTheFence();
    world.bringToStock.catchUp();
    assertNoStock();
    assertThat(archive()).isEqualTo(new Result.Archived(stored()));
  }
}
