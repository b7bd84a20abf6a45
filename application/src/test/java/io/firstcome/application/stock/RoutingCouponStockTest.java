package io.firstcome.application.stock;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.codeKeys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.StockStub;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.claim.GroupCommit;
import io.firstcome.application.coupon.DefineCoupon;
import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.StockFencedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Coupons of two backends in one deployment, and of a backend that a deployment does not have. */
class RoutingCouponStockTest {

  private static final Duration SOON = Duration.ofSeconds(1);

  private final Coupon inRedis = aCoupon().withId("RED").build();
  private final Coupon inPostgres = aCoupon().withId("POST").inPostgres().build();
  private final StockStub redis = new StockStub(4, 512);
  private final StockStub postgres = new StockStub(1, 100);
  private final RoutingCouponStock both =
      new RoutingCouponStock(Map.of(StockBackend.REDIS, redis, StockBackend.POSTGRES, postgres));
  private final InMemoryService service = InMemoryService.with(aCoupon().build());

  @Test
  void a_claim_goes_to_the_backend_of_its_coupon() {
    var groupCommit =
        new GroupCommit(
            both::of,
            service.epochs,
            CouponFixtures.codeKeys(),
            service.limits.claims(),
            Runnable::run,
            IssuanceObserver.silent());
    var _ = groupCommit.claim(inRedis, new UserId("ann"));
    var _ = groupCommit.claim(inPostgres, new UserId("bob"));
    var _ =
        both.claim(
            service.epochs.address(inPostgres),
            null,
            List.of(CouponFixtures.claimOf(new UserId("cy"))),
            SOON);

    assertThat(redis.arrived()).containsExactly(new UserId("ann"));
    assertThat(postgres.arrived()).containsExactly(new UserId("bob"), new UserId("cy"));
  }

  @Test
  void group_commit_applies_the_limits_of_the_coupons_backend() {
    assertThat(both.of(inRedis).maxCallsInFlight()).isEqualTo(4);
    assertThat(both.of(inPostgres).maxCallsInFlight()).isEqualTo(1);
    assertThat(both.maxCallsInFlight()).isEqualTo(1);
    assertThat(both.maxClaimsPerCall()).isEqualTo(100);
  }

  @Test
  void a_stock_in_postgres_has_no_epoch() {
    assertThat(service.epochs.address(inRedis))
        .isEqualTo(new StockAddress(inRedis.id(), inRedis.partition(), new Epoch(1)));
    assertThat(service.epochs.address(inPostgres))
        .isEqualTo(StockAddress.inDatabase(inPostgres.id(), inPostgres.partition()));
  }

  @Test
  void a_backend_that_is_not_configured_has_no_stock() {
    var alone = new RoutingCouponStock(Map.of(StockBackend.POSTGRES, postgres));

    assertThatExceptionOfType(StockFencedException.class).isThrownBy(() -> alone.of(inRedis));
    assertThatExceptionOfType(StockFencedException.class)
        .isThrownBy(() -> alone.level(service.epochs.address(inRedis)));
  }

  @Test
  void a_claim_whose_row_is_committed_is_issued_without_waiting() throws InterruptedException {
    ClaimOutcome outcome = new ClaimOutcome.Issued(new Slot(3));
    var user = new UserId("ann");

    assertThat(
            service.claimCoupon.answer(
                inPostgres, user, CompletableFuture.completedFuture(outcome)))
        .isEqualTo(
            new ClaimAnswer.Issued(codeKeys().identityOf(1, inPostgres.id(), user), new Slot(3)));
  }

  private DefineCoupon defineCoupon(StockBackends backends) {
    return new DefineCoupon(
        service.database.coupons(),
        service.catalog,
        service.stockSync,
        codeKeys(),
        1,
        backends,
        service.clock);
  }

  @Test
  void a_definition_without_a_backend_gets_the_default_backend_and_keeps_it() {
    var byRedis = defineCoupon(StockBackends.allWithUsual(StockBackend.REDIS));
    var byPostgres = defineCoupon(StockBackends.allWithUsual(StockBackend.POSTGRES));

    assertThat(byRedis.define(inRedis.definition(), null, OPERATOR))
        .isEqualTo(new DefineCoupon.Result.Defined(inRedis));
    assertThat(byPostgres.define(inRedis.definition(), null, OPERATOR))
        .isEqualTo(new DefineCoupon.Result.SameAsBefore(inRedis));
    assertThat(byPostgres.define(inRedis.definition(), StockBackend.REDIS, OPERATOR))
        .isEqualTo(new DefineCoupon.Result.SameAsBefore(inRedis));
    assertThat(byPostgres.define(inRedis.definition(), StockBackend.POSTGRES, OPERATOR))
        .isEqualTo(new DefineCoupon.Result.AlreadyDefined());
  }

  @Test
  void a_deployment_refuses_definitions_that_need_a_missing_backend() {
    var waiting = aCoupon().withId("QUEUE").withWaitingRoom(10).build().definition();
    var alone = defineCoupon(StockBackends.only(StockBackend.POSTGRES));

    assertThat(alone.define(inRedis.definition(), StockBackend.REDIS, OPERATOR))
        .isEqualTo(new DefineCoupon.Result.Refused(DefineCoupon.Reason.NO_SUCH_BACKEND));
    assertThat(alone.define(waiting, null, OPERATOR))
        .isEqualTo(new DefineCoupon.Result.Refused(DefineCoupon.Reason.WAITING_ROOM_WITHOUT_REDIS));
    assertThat(service.database.coupons().find(inRedis.id())).isEmpty();
    assertThat(service.database.coupons().find(waiting.couponId())).isEmpty();
  }

  @Test
  void coupons_of_an_absent_backend_are_stranded_until_they_are_archived() {
    var alone = StockBackends.only(StockBackend.POSTGRES);
    var find = new FindStrandedCoupons(service.database.coupons(), alone);
    var welcome = aCoupon().build().id();
    service.database.coupons().addIfAbsent(inPostgres, OPERATOR, service.clock.instant());

    assertThat(find.find()).containsExactly(welcome);
    service.changeCoupon.change(welcome, Coupon::close, OPERATOR);
    assertThat(find.find()).containsExactly(welcome);
    service.archiveElsewhere().archive(welcome, OPERATOR);
    assertThat(find.find()).isEmpty();
    assertThat(
            new FindStrandedCoupons(
                    service.database.coupons(), StockBackends.only(StockBackend.REDIS))
                .find())
        .containsExactly(inPostgres.id());
  }

  @Test
  void a_deployment_without_partitions_has_no_closed_partition() {
    var keeper = StockKeeper.ofNothing();

    assertThat(keeper.partitions()).isEmpty();
    assertThat(keeper.closed()).isEmpty();
  }
}
