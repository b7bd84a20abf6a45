package io.firstcome.application.reconciliation;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.archive.ArchiveCoupon;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.coupon.ChangeCoupon;
import io.firstcome.application.recovery.HealMissingStock;
import io.firstcome.application.stock.StockSync;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.observation.ConsistencyObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.reconciliation.Discrepancy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database that lost changes by operators, without a recovery since that would detect it. */
@Timeout(30)
class DatabaseSetBackTest {

  private static final ClaimAnswer CLOSED = new ClaimAnswer.Refused(new ClaimOutcome.Closed());
  private static final ClaimAnswer PAUSED = new ClaimAnswer.Refused(new ClaimOutcome.Paused());

  private final Coupon coupon = aCoupon().withTotal(3).build();
  private final InMemoryService service = InMemoryService.with(coupon);
  private final InMemoryDatabase.Backup backup = service.database.backUp();

  /** The discrepancies that were reported, and whether they are healed by a recovery. */
  private record Report(List<Discrepancy> discrepancies, boolean healing) {}

  private final List<Report> reports = new ArrayList<>();
  private final List<String> raised = new ArrayList<>();

  private final IssuanceObserver listener =
      observation -> {
        switch (observation) {
          case ConsistencyObservation.DiscrepanciesFound(
                  _,
                  List<Discrepancy> found,
                  boolean healing) -> {
            reports.add(new Report(found, healing));
          }
          case ConsistencyObservation.RevisionRaised(_, int inStock, int raisedTo) -> {
            raised.add(inStock + " -> " + raisedTo);
          }
          default -> {}
        }
      };

  private final StockSync stockSync = service.stockSync(service.reporting, listener);
  private final ChangeCoupon changeCoupon =
      new ChangeCoupon(service.database.coupons(), service.catalog, stockSync, service.clock);
  private final ReconcileCoupons reconciler = service.reconcileCoupons(listener);
  private final HealMissingStock healMissingStock = service.healMissingStock(listener);

  private ChangeCoupon.Result change(Function<Coupon, CouponChange> operation) {
    return changeCoupon.change(coupon.id(), operation, OPERATOR);
  }

  private Coupon stored() {
    return service.database.coupons().find(coupon.id()).orElseThrow();
  }

  private StockTerms inStock() {
    return service.stock.stock().terms(service.epochs.address(coupon));
  }

  private void setBack() {
    service.database.restore(backup);
  }

  private void loseAPauseAndAResume() {
    change(Coupon::pause);
    change(Coupon::resume);
    setBack();
  }

  @Test
  void the_proof_reports_a_revision_that_the_database_lacks() {
    loseAPauseAndAResume();

    var proof = service.proof(coupon);

    assertThat(proof.exact()).isFalse();
    assertThat(proof.discrepancies())
        .containsExactly(
            new Discrepancy.OtherTerms(
                StockTerms.of(aCoupon().withTotal(3).withRevision(3).build()),
                StockTerms.of(coupon)));
  }

  @Test
  void a_close_after_a_lost_pause_and_resume_takes_effect() {
    loseAPauseAndAResume();

    var closed = change(Coupon::close);

    assertThat(service.claim(coupon, "ann")).isEqualTo(CLOSED);
    assertThat(closed).isEqualTo(new ChangeCoupon.Result.Done(stored()));
    assertThat(stored().revision()).isEqualTo(4);
    assertThat(raised).containsExactly("3 -> 4");
    assertThat(service.proof(coupon).exact()).isTrue();
    assertThat(service.database.coupons().unapplied(null, 10)).isEmpty();
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

  /** When the operator gets the reply, the stock has the terms that the database already had. */
  @Test
  void a_change_that_the_database_already_has_is_applied_to_the_stock() {
    change(Coupon::pause);
    setBack();
    assertThat(service.claim(coupon, "ann")).isEqualTo(PAUSED);

    assertThat(change(Coupon::resume)).isInstanceOf(ChangeCoupon.Result.Done.class);

    assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void the_reconciler_applies_the_terms_without_an_operator() {
    change(Coupon::close);
    setBack();
    var epoch = service.epoch();

    reconciler.reconcileNext();
    reconciler.reconcileNext();
    service.checkTheFence();

    assertThat(reports).singleElement().satisfies(once -> assertThat(once.healing()).isTrue());
    assertThat(raised).containsExactly("2 -> 3");
    assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(service.epoch()).isEqualTo(epoch);
  }

  /** As after a manual write to Redis: no change is in flight. */
  @Test
  void terms_that_the_stock_has_lost_are_applied_again() {
    change(Coupon::pause);
    service
        .database
        .coupons()
        .change((CouponChange.Changed) stored().resume(), OPERATOR, ACCEPTED_AT);
    service.database.coupons().noteApplied(coupon.id(), 3);

    assertThat(service.proof(coupon).exact()).isFalse();
    reconciler.reconcileNext();

    assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(raised).isEmpty();
  }

  @Test
  void a_change_in_progress_is_no_discrepancy() {
    var paused = (CouponChange.Changed) stored().pause();
    service.database.coupons().change(paused, OPERATOR, ACCEPTED_AT);
    assertThat(service.proof(coupon).exact()).isTrue();

    var raisedTotal = (CouponChange.Changed) stored().raiseTo(9);
    var coupons =
        Interposed.before(
                CouponRepository.class,
                "isApplied",
                () -> {
                  service.database.coupons().change(raisedTotal, OPERATOR, ACCEPTED_AT);
                  service.stockSync.catchUp();
                })
            .port(CouponRepository.class, service.database.coupons());

    assertThat(
            TermsComparison.compare(
                paused.coupon(), service.epochs.address(coupon), service.stock.stock(), coupons))
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
                    service.database.coupons().change(pause, OPERATOR, ACCEPTED_AT);
                  }
                })
            .port(CouponRepository.class, service.database.coupons());

    var inForce =
        new StockSync(
                coupons,
                service.reporting,
                service.epochs,
                service.endLeases,
                service.clock,
                listener)
            .ensure(coupon);

    assertThat(inForce).isEqualTo(stored());
    assertThat(stored().status()).isEqualTo(CouponStatus.PAUSED);
    assertThat(service.claim(coupon, "ann")).isEqualTo(PAUSED);
  }

  @Test
  void a_coupon_whose_terms_differ_is_archived_with_the_terms_of_the_database() {
    change(Coupon::close);
    var closed = service.database.backUp();
    service.stock.stock().apply(service.epochs.address(coupon), StockTerms.of(stored()));
    var later = aCoupon().withTotal(3).withRevision(9).build();
    service.stock.stock().apply(service.epochs.address(coupon), StockTerms.of(later));
    service.database.restore(closed);

    assertThat(service.archiveElsewhere().archive(coupon.id(), OPERATOR))
        .isInstanceOf(ArchiveCoupon.Result.Archived.class);

    assertThat(stored().status()).isEqualTo(CouponStatus.ARCHIVED);
  }

  private void loseAnArchiving() {
    change(Coupon::close);
    assertThat(service.archiveElsewhere().archive(coupon.id(), OPERATOR))
        .isInstanceOf(ArchiveCoupon.Result.Archived.class);
    setBack();
  }

  @Test
  void a_missing_stock_in_an_open_partition_is_rebuilt_by_one_recovery() {
    loseAnArchiving();
    var epoch = service.epoch();
    assertThat(service.claim(coupon, "ann")).isEqualTo(new ClaimAnswer.Recovering());
    assertThatExceptionOfType(StockFencedException.class).isThrownBy(() -> service.proof(coupon));

    healMissingStock.look(InMemoryService.PARTITION);
    healMissingStock.look(InMemoryService.PARTITION);
    service.checkTheFence();
    healMissingStock.look(InMemoryService.PARTITION);
    service.checkTheFence();

    assertThat(reports).containsExactly(new Report(List.of(new Discrepancy.MissingStock()), true));
    assertThat(service.epoch()).isEqualTo(epoch.next());
    assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
    service.relayAndRecord();
    assertThat(service.proof(coupon).exact()).isTrue();
  }

  @Test
  void the_reconciler_finds_a_missing_stock_of_a_coupon_without_claims() {
    loseAnArchiving();

    reconciler.reconcileNext();
    healMissingStock.look(InMemoryService.PARTITION);
    service.checkTheFence();

    assertThat(inStock()).isEqualTo(StockTerms.of(coupon));
  }

  @Test
  void a_stock_that_is_missing_again_is_reported_and_not_recovered() {
    loseAnArchiving();
    service.claim(coupon, "ann");
    healMissingStock.look(InMemoryService.PARTITION);
    service.checkTheFence();
    var epoch = service.epoch();
    service.stock.stock().remove(service.epochs.address(coupon));

    healMissingStock.look(InMemoryService.PARTITION);
    service.claim(coupon, "ann");
    healMissingStock.look(InMemoryService.PARTITION);
    service.checkTheFence();

    assertThat(reports).extracting(Report::healing).containsExactly(true, false);
    assertThat(service.epoch()).isEqualTo(epoch);
  }

  @Test
  void a_fenced_partition_is_not_mistaken_for_a_missing_stock() {
    service.stock.restart();
    assertThat(service.claim(coupon, "ann")).isEqualTo(new ClaimAnswer.Recovering());

    healMissingStock.look(InMemoryService.PARTITION);
    service.checkTheFence();
    healMissingStock.look(InMemoryService.PARTITION);

    assertThat(reports).isEmpty();
  }

  /** The coupon is archived, or new and not yet in stock. */
  @Test
  void the_absent_stock_of_an_archived_or_new_coupon_is_not_reported() {
    var fresh = aCoupon().withId("FRESH").build();
    service.database.coupons().addIfAbsent(fresh, OPERATOR, ACCEPTED_AT);
    change(Coupon::close);
    service.archiveElsewhere().archive(coupon.id(), OPERATOR);
    service.fencedCoupons.add(service.epochs.address(coupon));
    assertThat(service.claim(fresh, "ann")).isEqualTo(new ClaimAnswer.Recovering());

    healMissingStock.look(InMemoryService.PARTITION);

    assertThat(reports).isEmpty();
    assertThat(service.claim(fresh, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void an_instance_updates_its_cache_when_a_coupon_is_no_longer_archived() {
    change(Coupon::close);
    service.archiveElsewhere().archive(coupon.id(), OPERATOR);
    assertThat(service.claim(coupon, "ann")).isEqualTo(CLOSED);
    setBack();
    service.timePasses(Duration.ofSeconds(1));

    assertThat(service.claim(coupon, "ann")).isEqualTo(new ClaimAnswer.Recovering());
    healMissingStock.look(InMemoryService.PARTITION);
    service.checkTheFence();

    assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  /** More coupons than a page has, whose stock is missing until a recovery. */
  @Test
  void coupons_whose_change_cannot_be_applied_do_not_block_other_coupons() {
    var stuck = new ArrayList<Coupon>();
    for (int i = 0; i < 250; i++) {
      var one = aCoupon().withId("STUCK-" + i).build();
      service.database.coupons().addIfAbsent(one, OPERATOR, ACCEPTED_AT);
      service.database.coupons().noteApplied(one.id(), 1);
      var pause = (CouponChange.Changed) one.pause();
      service.database.coupons().change(pause, OPERATOR, ACCEPTED_AT);
      stuck.add(one);
    }
    var last = aCoupon().withId("ZZZ").build();
    service.database.coupons().addIfAbsent(last, OPERATOR, ACCEPTED_AT);

    service.stockSync.catchUp();

    assertThat(service.database.coupons().unapplied(null, 1_000)).hasSameSizeAs(stuck);
    assertThat(service.claim(last, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }
}
