package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Discrepancy;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.StockFencedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database that has lost operators' changes, and no recovery since by which it would show. */
@Timeout(30)
class DatabaseSetBackTest {

  private static final ClaimAnswer CLOSED = new ClaimAnswer.Refused(new ClaimOutcome.Closed());
  private static final ClaimAnswer PAUSED = new ClaimAnswer.Refused(new ClaimOutcome.Paused());

  private final Coupon coupon = aCoupon().withTotal(3).build();
  private final World world = World.with(coupon);
  private final InMemoryDatabase.Backup backup = world.database.backUp();

  /** The discrepancies that were told, and whether they are being healed. */
  private record Told(List<Discrepancy> discrepancies, boolean healing) {}

  private final List<Told> told = new ArrayList<>();
  private final List<String> raised = new ArrayList<>();

  private final IssuanceObserver listener =
      new IssuanceObserver() {
        @Override
        public void discrepanciesFound(CouponId id, List<Discrepancy> found, boolean healing) {
          told.add(new Told(found, healing));
        }

        @Override
        public void revisionRaised(CouponId id, int inStock, int raisedTo) {
          raised.add(inStock + " -> " + raisedTo);
        }
      };

  private final BringToStock bringToStock = world.bringToStock(world.reporting, listener);
  private final ChangeCoupon changeCoupon =
      new ChangeCoupon(world.database.coupons(), bringToStock, world.clock);
  private final ReconcileCoupons reconciler = world.reconcileCoupons(listener);
  private final HealMissingStock healMissingStock = world.healMissingStock(listener);

  private ChangeCoupon.Result change(Function<Coupon, CouponChange> wish) {
    return changeCoupon.change(coupon.id(), wish, OPERATOR);
  }

  private Coupon stored() {
    return world.database.coupons().find(coupon.id()).orElseThrow();
  }

  private StockTerms inStock() {
    return world.stock.stock().terms(world.epochs.address(coupon));
  }

  private void setBack() {
    world.database.restore(backup);
  }

  private void loseAPauseAndAResume() {
    change(Coupon::pause);
    change(Coupon::resume);
    setBack();
  }

  @Test
  void the_proof_names_a_revision_that_the_database_does_not_know() {
    loseAPauseAndAResume();

    var proof = world.proof(coupon);

    assertThat(proof.exact()).isFalse();
    assertThat(proof.discrepancies())
        .containsExactly(
            new Discrepancy.OtherTerms(
                StockTerms.of(aCoupon().withTotal(3).withRevision(3).build()),
                StockTerms.of(coupon)));
  }

  @Test
  void a_close_after_a_lost_pause_and_resume_is_in_force() {
    loseAPauseAndAResume();

    var closed = change(Coupon::close);

    assertThat(world.claim(coupon, "ann")).isEqualTo(CLOSED);
    assertThat(closed).isEqualTo(new ChangeCoupon.Result.Done(stored()));
    assertThat(stored().revision()).isEqualTo(4);
    assertThat(raised).containsExactly("3 -> 4");
    assertThat(world.proof(coupon).exact()).isTrue();
    assertThat(world.database.coupons().notYetInStock(null, 10)).isEmpty();
  }

  @Test
  void other_terms_in_the_same_revision_are_replaced() {
    change(Coupon::pause);
    setBack();

    change(c -> c.raiseTo(5));

    assertThat(inStock()).isEqualTo(StockTerms.of(stored()));
    assertThat(stored().status()).isEqualTo(CouponStatus.ACTIVE);
    assertThat(stored().definition().totalQuantity()).isEqualTo(5);
    assertThat(raised).containsExactly("2 -> 3");
  }

  /** What the database says already is to be so in the stock too when the operator is answered. */
  @Test
  void a_wish_that_is_fulfilled_in_the_database_alone_is_fulfilled_in_the_stock() {
    change(Coupon::pause);
    setBack();
    assertThat(world.claim(coupon, "ann")).isEqualTo(PAUSED);

    assertThat(change(Coupon::resume)).isInstanceOf(ChangeCoupon.Result.Done.class);

    assertThat(world.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void the_reconciler_brings_the_terms_without_an_operator() {
    change(Coupon::close);
    setBack();
    var epoch = world.epoch();

    reconciler.reconcileNext();
    reconciler.reconcileNext();
    world.lookAtTheFence();

    assertThat(told).singleElement().satisfies(once -> assertThat(once.healing()).isTrue());
    assertThat(raised).containsExactly("2 -> 3");
    assertThat(world.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(world.epoch()).isEqualTo(epoch);
  }

  /** As after a write to Redis by hand: nobody's change is on its way there. */
  @Test
  void a_stock_that_has_lost_terms_that_it_had_is_given_them_again() {
    change(Coupon::pause);
    world
        .database
        .coupons()
        .change((CouponChange.Changed) stored().resume(), OPERATOR, ACCEPTED_AT);
    world.database.coupons().nowInStock(coupon.id(), 3);

    assertThat(world.proof(coupon).exact()).isFalse();
    reconciler.reconcileNext();

    assertThat(world.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(raised).isEmpty();
  }

  @Test
  void a_change_under_way_is_no_discrepancy() {
    var paused = (CouponChange.Changed) stored().pause();
    world.database.coupons().change(paused, OPERATOR, ACCEPTED_AT);
    assertThat(world.proof(coupon).exact()).isTrue();

    var whole = (CouponChange.Changed) stored().raiseTo(9);
    var coupons =
        Interposed.before(
                CouponRepository.class,
                "isInStock",
                () -> {
                  world.database.coupons().change(whole, OPERATOR, ACCEPTED_AT);
                  world.bringToStock.catchUp();
                })
            .port(CouponRepository.class, world.database.coupons());

    assertThat(
            TermsComparison.compare(
                paused.coupon(), world.epochs.address(coupon), world.stock.stock(), coupons))
        .isEmpty();
  }

  @Test
  void another_operators_change_is_not_undone_by_raising_the_revision() {
    loseAPauseAndAResume();
    var coupons =
        Interposed.before(
                CouponRepository.class,
                "raiseRevision",
                () -> {
                  if (stored().pause() instanceof CouponChange.Changed pause) {
                    world.database.coupons().change(pause, OPERATOR, ACCEPTED_AT);
                  }
                })
            .port(CouponRepository.class, world.database.coupons());

    var inForce =
        new BringToStock(coupons, world.reporting, world.epochs, world.clock, listener)
            .ensure(coupon);

    assertThat(inForce).isEqualTo(stored());
    assertThat(stored().status()).isEqualTo(CouponStatus.PAUSED);
    assertThat(world.claim(coupon, "ann")).isEqualTo(PAUSED);
  }

  @Test
  void a_coupon_whose_terms_differ_is_archived_with_those_of_the_database() {
    change(Coupon::close);
    var closed = world.database.backUp();
    world.stock.stock().apply(world.epochs.address(coupon), StockTerms.of(stored()));
    var later = aCoupon().withTotal(3).withRevision(9).build();
    world.stock.stock().apply(world.epochs.address(coupon), StockTerms.of(later));
    world.database.restore(closed);

    assertThat(world.archiveElsewhere().archive(coupon.id(), OPERATOR))
        .isInstanceOf(ArchiveCoupon.Result.Archived.class);

    assertThat(stored().status()).isEqualTo(CouponStatus.ARCHIVED);
  }

  private void loseAnArchiving() {
    change(Coupon::close);
    assertThat(world.archiveElsewhere().archive(coupon.id(), OPERATOR))
        .isInstanceOf(ArchiveCoupon.Result.Archived.class);
    setBack();
  }

  @Test
  void a_stock_that_is_missing_in_an_open_partition_is_made_anew_by_one_recovery() {
    loseAnArchiving();
    var epoch = world.epoch();
    assertThat(world.claim(coupon, "ann")).isEqualTo(new ClaimAnswer.Recovering());
    assertThatExceptionOfType(StockFencedException.class).isThrownBy(() -> world.proof(coupon));

    healMissingStock.look(World.PARTITION);
    healMissingStock.look(World.PARTITION);
    world.lookAtTheFence();
    healMissingStock.look(World.PARTITION);
    world.lookAtTheFence();

    assertThat(told).containsExactly(new Told(List.of(new Discrepancy.MissingStock()), true));
    assertThat(world.epoch()).isEqualTo(epoch.next());
    assertThat(world.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
    world.relayAndRecord();
    assertThat(world.proof(coupon).exact()).isTrue();
  }

  @Test
  void the_reconciler_finds_a_missing_stock_that_nobody_asks_for() {
    loseAnArchiving();

    reconciler.reconcileNext();
    healMissingStock.look(World.PARTITION);
    world.lookAtTheFence();

    assertThat(inStock()).isEqualTo(StockTerms.of(coupon));
  }

  @Test
  void a_stock_that_is_missing_again_is_told_and_not_recovered_once_more() {
    loseAnArchiving();
    world.claim(coupon, "ann");
    healMissingStock.look(World.PARTITION);
    world.lookAtTheFence();
    var epoch = world.epoch();
    world.stock.stock().remove(world.epochs.address(coupon));

    healMissingStock.look(World.PARTITION);
    world.claim(coupon, "ann");
    healMissingStock.look(World.PARTITION);
    world.lookAtTheFence();

    assertThat(told).extracting(Told::healing).containsExactly(true, false);
    assertThat(world.epoch()).isEqualTo(epoch);
  }

  @Test
  void a_fence_that_is_the_partitions_is_not_taken_for_a_missing_stock() {
    world.stock.restart();
    assertThat(world.claim(coupon, "ann")).isEqualTo(new ClaimAnswer.Recovering());

    healMissingStock.look(World.PARTITION);
    world.lookAtTheFence();
    healMissingStock.look(World.PARTITION);

    assertThat(told).isEmpty();
  }

  /** It is archived, or it is new and not yet in stock. */
  @Test
  void a_stock_that_is_not_to_be_there_is_not_missing() {
    var fresh = aCoupon().withId("FRESH").build();
    world.database.coupons().addIfAbsent(fresh, OPERATOR, ACCEPTED_AT);
    change(Coupon::close);
    world.archiveElsewhere().archive(coupon.id(), OPERATOR);
    world.fencedCoupons.add(world.epochs.address(coupon));
    assertThat(world.claim(fresh, "ann")).isEqualTo(new ClaimAnswer.Recovering());

    healMissingStock.look(World.PARTITION);

    assertThat(told).isEmpty();
    assertThat(world.claim(fresh, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void an_instance_that_knew_it_archived_learns_that_it_is_not() {
    change(Coupon::close);
    world.archiveElsewhere().archive(coupon.id(), OPERATOR);
    assertThat(world.claim(coupon, "ann")).isEqualTo(CLOSED);
    setBack();
    world.timePasses(Duration.ofSeconds(1));

    assertThat(world.claim(coupon, "ann")).isEqualTo(new ClaimAnswer.Recovering());
    healMissingStock.look(World.PARTITION);
    world.lookAtTheFence();

    assertThat(world.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  /** As many as a round once took, and their stock is gone for as long as no recovery comes. */
  @Test
  void coupons_that_cannot_be_brought_to_the_stock_hold_up_no_other() {
    var stuck = new ArrayList<Coupon>();
    for (int i = 0; i < 250; i++) {
      var one = aCoupon().withId("STUCK-" + i).build();
      world.database.coupons().addIfAbsent(one, OPERATOR, ACCEPTED_AT);
      world.database.coupons().nowInStock(one.id(), 1);
      var pause = (CouponChange.Changed) one.pause();
      world.database.coupons().change(pause, OPERATOR, ACCEPTED_AT);
      stuck.add(one);
    }
    var last = aCoupon().withId("ZZZ").build();
    world.database.coupons().addIfAbsent(last, OPERATOR, ACCEPTED_AT);

    world.bringToStock.catchUp();

    assertThat(world.database.coupons().notYetInStock(null, 1_000)).hasSameSizeAs(stuck);
    assertThat(world.claim(last, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }
}
