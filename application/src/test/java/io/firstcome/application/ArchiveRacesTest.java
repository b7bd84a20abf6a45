package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.ArchiveCoupon.Result;
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

/** A closed coupon that ann has is archived while something else happens to its stock. */
@Timeout(60)
class ArchiveRacesTest {

  private static final ClaimAnswer CLOSED = new ClaimAnswer.Refused(new ClaimOutcome.Closed());

  private final Coupon coupon = aCoupon().withTotal(3).build();
  private final Coupon other = aCoupon().withId("ZED").build();
  private final World world = World.with(other);

  private void live() {
    world.claim(coupon, "ann");
    world.relayAndRecord();
    world.changeCoupon.change(coupon.id(), Coupon::close, OPERATOR);
  }

  private void archive() {
    assertThat(world.archiveElsewhere().archive(coupon.id(), OPERATOR))
        .isInstanceOf(Result.Archived.class);
  }

  private World closed() {
    world.defineCoupon.define(coupon.definition(), null, OPERATOR);
    live();
    return world;
  }

  private Coupon stored() {
    return world.database.coupons().find(coupon.id()).orElseThrow();
  }

  /** As by an instance that dies before it removes the stock. */
  private void commit() {
    if (stored().archive() instanceof CouponChange.Changed change) {
      assertThat(world.database.coupons().change(change, OPERATOR, ACCEPTED_AT)).isTrue();
    }
  }

  private void assertGoneForGood() {
    assertThat(stored().status()).isEqualTo(CouponStatus.ARCHIVED);
    assertThat(world.stock.marks(World.PARTITION, coupon.id())).isEmpty();
    assertThatExceptionOfType(StockFencedException.class)
        .isThrownBy(() -> world.stock.stock().level(world.epochs.address(coupon)));
    assertThat(world.database.coupons().notYetInStock(null, 10)).isEmpty();
    assertThat(world.claim(coupon, "bob")).isEqualTo(CLOSED);
    assertThat(world.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.AlreadyIssued.class);
    assertThat(world.claim(other, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  /** Found by the simulation: in the database it was not yet, and in the ledger not any more. */
  @Test
  void a_claim_that_is_recorded_and_its_ledger_removed_between_two_looks_is_found() {
    world.defineCoupon.define(coupon.definition(), null, OPERATOR);
    world.claim(coupon, "ann");
    var stock =
        Interposed.before(
                CouponStock.class,
                "find",
                () -> {
                  live();
                  archive();
                })
            .port(CouponStock.class, world.stock.stock());
    var findClaim =
        new FindClaim(
            world.catalog,
            world.epochs,
            world.database.userCoupons(),
            world.database.lateClaims(),
            stock,
            CouponFixtures.codeKeys(),
            world.clock);

    assertThat(findClaim.find(coupon.id(), new UserId("ann")))
        .isInstanceOf(FindClaim.Result.Recorded.class);
  }

  @Test
  void an_emptied_server_is_rebuilt_without_it() {
    closed();
    archive();
    world.stock.wipe();

    world.lookAtTheFence();

    assertGoneForGood();
  }

  @Test
  void a_server_that_has_forgotten_the_removal_is_cleared_of_it() {
    closed();
    var copy = world.stock.copy();
    archive();
    world.stock.setBackTo(copy);
    assertThat(world.stock.marks(World.PARTITION, coupon.id())).isNotEmpty();

    world.lookAtTheFence();
    clearArchived();

    assertGoneForGood();
  }

  private void clearArchived() {
    while (world.clearArchivedCoupons.clearNext()) {
      // Until nothing is left to clear.
    }
  }

  /** It does not wait for the clearing, and its stale ledger gives nothing until then. */
  @Test
  void a_forgotten_removal_delays_no_recovery_and_gives_no_slot() {
    closed();
    var copy = world.stock.copy();
    archive();
    world.stock.setBackTo(copy);

    world.lookAtTheFence();

    assertThat(world.stock.marks(World.PARTITION, coupon.id())).isNotEmpty();
    assertThat(world.claim(other, "cy")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(world.claim(coupon, "bob")).isEqualTo(CLOSED);
    assertThatExceptionOfType(StockFencedException.class)
        .isThrownBy(() -> world.stock.stock().level(world.epochs.address(coupon)));
    clearArchived();
    assertGoneForGood();
  }

  /**
   * The removal of a coupon that was archived in this epoch notes that no late creation may bring
   * it back. Cleared before that, it could be created anew, with every slot.
   */
  @Test
  void what_is_archived_in_this_epoch_is_left_to_its_removal() {
    closed();
    world.stock.restart();
    world.lookAtTheFence();
    commit();

    clearArchived();

    assertThat(world.stock.marks(World.PARTITION, coupon.id())).isNotEmpty();
    world.bringToStock.catchUp();
    assertGoneForGood();
  }

  /** Before, within or after: in the end the stock has nothing of it. */
  @ParameterizedTest
  @ValueSource(strings = {"fence", "begin", "clearFree", "ready", "open"})
  void what_is_archived_at_any_step_of_a_recovery_is_gone_in_the_end(String step)
      throws InterruptedException {
    closed();
    var ports = Interposed.before(StockRecovery.class, step, this::commit);

    world.recoverStock(ports).recoverNow(World.PARTITION, RecoverStock.Database.CURRENT);
    world.bringToStock.catchUp();

    assertGoneForGood();
  }

  @Test
  void a_removal_waits_for_a_recovery_that_may_have_the_coupon_before_it()
      throws InterruptedException {
    closed();
    var refused = new AtomicInteger();
    var ports =
        Interposed.before(
            StockRecovery.class,
            "clearFree",
            () -> {
              commit();
              assertThatExceptionOfType(StockFencedException.class)
                  .isThrownBy(() -> world.bringToStock.ensure(stored()));
              refused.incrementAndGet();
            });

    world.recoverStock(ports).recoverNow(World.PARTITION, RecoverStock.Database.CURRENT);

    assertThat(refused.get()).isPositive();
    assertThat(world.stock.marks(World.PARTITION, coupon.id())).isNotEmpty();
    assertThat(world.database.coupons().notYetInStock(null, 10)).containsExactly(stored());
    world.bringToStock.catchUp();
    assertGoneForGood();
  }

  /** One instance is slow to bring a new coupon to the stock: others bring it and archive it. */
  private void createLate(Runnable afterTheRemoval) {
    world.database.coupons().addIfAbsent(coupon, OPERATOR, ACCEPTED_AT);
    var slow =
        Interposed.before(
                CouponStock.class,
                "create",
                () -> {
                  world.bringToStock.catchUp();
                  live();
                  archive();
                  afterTheRemoval.run();
                })
            .port(CouponStock.class, world.stock.stock());
    world.bringToStock(slow).catchUp();
  }

  @Test
  void a_creation_that_comes_after_the_removal_brings_nothing_back() {
    createLate(() -> {});

    assertGoneForGood();
  }

  /** The partition was recovered between the removal and the creation. */
  @Test
  void a_creation_of_an_epoch_that_is_over_brings_nothing_back() {
    createLate(() -> {
      world.stock.restart();
      world.lookAtTheFence();
    });

    assertGoneForGood();
  }

  @Test
  void terms_that_come_after_the_removal_bring_nothing_back() {
    world.defineCoupon.define(coupon.definition(), null, OPERATOR);
    world.changeCoupon.change(coupon.id(), Coupon::pause, OPERATOR);
    world.changeCoupon.change(coupon.id(), Coupon::resume, OPERATOR);
    var resumed = stored();
    var slow =
        Interposed.before(
                CouponStock.class,
                "apply",
                () -> {
                  live();
                  archive();
                })
            .port(CouponStock.class, world.stock.stock());
    var address = world.epochs.address(coupon);

    assertThatExceptionOfType(StockFencedException.class)
        .isThrownBy(() -> slow.apply(address, StockTerms.of(resumed)));

    assertGoneForGood();
  }
}
