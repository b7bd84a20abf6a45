package io.firstcome.application.coupon;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.coupon.ChangeCoupon.Result;
import io.firstcome.application.recovery.RecoverStock;
import io.firstcome.application.stock.StockBackends;
import io.firstcome.application.stock.StockSync;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponChange.Refused.Reason;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.SoldOutLease;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Effects of an operator's change on claims, also when an instance or a server fails. */
@Timeout(60)
class ChangeCouponTest {

  private final Coupon coupon = aCoupon().withTotal(2).build();
  private final InMemoryService service = InMemoryService.with(coupon);

  @Test
  void a_paused_coupon_refuses_claims_until_it_is_resumed() {
    assertThat(change(Coupon::pause)).isInstanceOf(Result.Done.class);
    assertThat(service.claim(coupon, "ann"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.Paused()));

    assertThat(change(Coupon::resume)).isInstanceOf(Result.Done.class);
    assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void a_closed_coupon_stays_closed_and_keeps_its_issued_claims() {
    service.claim(coupon, "ann");
    assertThat(change(Coupon::close)).isInstanceOf(Result.Done.class);

    assertThat(service.claim(coupon, "bob"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.Closed()));
    assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.AlreadyClaimed.class);
    assertThat(change(Coupon::resume)).isEqualTo(new Result.Refused(Reason.CLOSED_FOR_GOOD));
    assertThat(change(c -> c.raiseTo(3))).isEqualTo(new Result.Refused(Reason.CLOSED_FOR_GOOD));
  }

  @Test
  void a_raised_quantity_allows_further_claims_that_are_recorded() {
    for (var user : List.of("ann", "bob", "cy")) {
      service.claim(coupon, user);
    }
    assertThat(change(c -> c.raiseTo(3))).isInstanceOf(Result.Done.class);

    assertThat(service.claim(coupon, "cy")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(service.claim(coupon, "dan"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.SoldOut()));
    service.relayAndRecord();
    assertThat(service.row(coupon, "cy")).isPresent();
    assertThat(service.proof(coupon).exact()).isTrue();
    assertThat(change(c -> c.raiseTo(2))).isEqualTo(new Result.Refused(Reason.LOWER_QUANTITY));
  }

  @Test
  void a_raise_of_a_sold_out_coupon_is_answered_when_its_slots_can_be_claimed() {
    service.claim(coupon, "ann");
    service.claim(coupon, "bob");
    service.grantLease(coupon);
    long before = service.processClock.nanos();

    assertThat(change(c -> c.raiseTo(3))).isInstanceOf(Result.Done.class);

    assertThat(service.claim(coupon, "cy")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(Duration.ofNanos(service.processClock.nanos() - before))
        .isGreaterThanOrEqualTo(SoldOutLease.OVER_AFTER);
  }

  /** The instance died while it waited until leases were over. */
  @Test
  void the_slots_of_a_raise_whose_instance_died_can_be_claimed_when_another_has_applied_it() {
    service.claim(coupon, "ann");
    service.claim(coupon, "bob");
    service.grantLease(coupon);
    var raised = (CouponChange.Changed) stored().raiseTo(3);
    service.database.coupons().change(raised, OPERATOR, ACCEPTED_AT);
    service.stock.stock().apply(service.epochs.address(coupon), StockTerms.of(raised.coupon()));

    service.stockSync.catchUp();

    assertThat(service.claim(coupon, "cy")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(service.database.coupons().unapplied(null, 10)).isEmpty();
  }

  @Test
  void a_request_that_is_already_satisfied_changes_nothing() {
    change(Coupon::pause);
    var paused = stored();
    assertThat(change(Coupon::pause)).isEqualTo(new Result.Done(paused));
    assertThat(stored()).isEqualTo(paused);
  }

  @Test
  void a_change_of_a_missing_coupon_is_answered_as_unknown() {
    assertThat(service.changeCoupon.change(new CouponId("NOWHERE"), Coupon::pause, OPERATOR))
        .isEqualTo(new Result.Unknown());
  }

  @Test
  void a_change_that_the_stock_missed_is_committed_and_applied_automatically() {
    service.stock.restart();
    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() -> change(Coupon::pause));
    assertThat(stored().status()).isEqualTo(CouponStatus.PAUSED);

    service.checkTheFence();
    service.stockSync.catchUp();

    assertThat(service.claim(coupon, "ann"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.Paused()));
    assertThat(service.database.coupons().unapplied(null, 10)).isEmpty();
  }

  /** The reply must not say that nothing happened, as the database's exception alone would. */
  @Test
  void a_change_committed_before_the_database_fails_is_not_reported_as_without_effect() {
    var coupons =
        Interposed.before(CouponRepository.class, "isApplied", service.database::disconnect)
            .port(CouponRepository.class, service.database.coupons());
    var stockSync =
        new StockSync(
            coupons,
            service.stock.stock(),
            service.epochs,
            service.endLeases,
            service.clock,
            IssuanceObserver.silent());
    var other = aCoupon().withId("OTHER").build().definition();

    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() ->
            new ChangeCoupon(coupons, service.catalog, stockSync, InstantSource.system())
                .change(coupon.id(), Coupon::pause, OPERATOR));
    service.database.reconnect();
    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() ->
            new DefineCoupon(
                    coupons,
                    service.catalog,
                    stockSync,
                    CouponFixtures.codeKeys(),
                    1,
                    StockBackends.only(StockBackend.REDIS),
                    InstantSource.system())
                .define(other, null, OPERATOR));
    service.database.reconnect();

    assertThat(stored().status()).isEqualTo(CouponStatus.PAUSED);
    assertThat(service.database.coupons().find(other.couponId())).isPresent();
  }

  /** The instance died between the commit and the call to the stock. */
  @Test
  void a_change_whose_instance_died_is_applied_by_another_instance() {
    var paused = (CouponChange.Changed) stored().pause();
    assertThat(service.database.coupons().change(paused, OPERATOR, ACCEPTED_AT)).isTrue();
    assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);

    service.stockSync.catchUp();

    assertThat(service.claim(coupon, "bob"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.Paused()));
  }

  /** The stock keeps the newest revision, whatever the order of the calls. */
  @Test
  void an_older_change_that_arrives_late_does_not_undo_a_newer_change() {
    var paused = (CouponChange.Changed) stored().pause();
    service.database.coupons().change(paused, OPERATOR, ACCEPTED_AT);
    change(Coupon::resume);

    service.stockSync.ensure(paused.coupon());
    service.stock.stock().apply(service.epochs.address(coupon), StockTerms.of(paused.coupon()));

    assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void concurrent_changes_by_operators_are_all_kept() throws Exception {
    var all = new ArrayList<Callable<Result>>();
    for (int total = 3; total <= 8; total++) {
      int wanted = total;
      all.add(() -> change(c -> c.raiseTo(wanted)));
    }
    atOnce(all);

    assertThat(stored().definition().totalQuantity()).isEqualTo(8);
    assertThat(level()).isEqualTo(8);
    assertThat(service.database.coupons().unapplied(null, 10)).isEmpty();
  }

  @Test
  void a_change_that_always_conflicts_is_reported_as_concurrent() {
    var total = new AtomicInteger(2);
    var coupons =
        Interposed.before(
                CouponRepository.class,
                "change",
                () -> change(c -> c.raiseTo(total.incrementAndGet())))
            .port(CouponRepository.class, service.database.coupons());

    var tooLate =
        new ChangeCoupon(coupons, service.catalog, service.stockSync, InstantSource.system());
    assertThat(tooLate.change(coupon.id(), Coupon::pause, OPERATOR))
        .isEqualTo(new Result.ConcurrentChange());
    assertThat(stored().status()).isEqualTo(CouponStatus.ACTIVE);
  }

  /** Whether changed before, during or after: the rebuilt stock has the terms of the database. */
  @ParameterizedTest
  @ValueSource(strings = {"fence", "begin", "clearFree", "ready", "open"})
  void a_change_at_any_step_of_a_recovery_reaches_the_stock(String step) throws Exception {
    var ports = Interposed.before(StockRecovery.class, step, () -> changeOrCommit(5));

    service
        .recoverStock(ports)
        .recoverNow(InMemoryService.PARTITION, RecoverStock.Database.CURRENT);
    service.stockSync.catchUp();

    assertThat(stored().definition().totalQuantity()).isEqualTo(5);
    assertThat(level()).isEqualTo(5);
    assertThat(service.database.coupons().unapplied(null, 10)).isEmpty();
  }

  /** The stock may be fenced at this moment; then the change is only in the database. */
  private void changeOrCommit(int total) {
    try {
      change(c -> c.raiseTo(total));
    } catch (StockUnavailableException e) {
      assertThat(stored().definition().totalQuantity()).isEqualTo(total);
    }
  }

  private static void atOnce(List<? extends Callable<?>> all) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<?>>();
      for (var each : all) {
        running.add(threads.submit(each));
      }
      for (var each : running) {
        each.get();
      }
    }
  }

  private Result change(Function<Coupon, CouponChange> operation) {
    return service.changeCoupon.change(coupon.id(), operation, OPERATOR);
  }

  private Coupon stored() {
    return service.database.coupons().find(coupon.id()).orElseThrow();
  }

  private int level() {
    return service.stock.stock().level(service.epochs.address(coupon)).totalQuantity();
  }
}
