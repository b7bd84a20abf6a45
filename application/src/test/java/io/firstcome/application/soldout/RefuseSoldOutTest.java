package io.firstcome.application.soldout;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.ManualClock;
import io.firstcome.application.coupon.InMemoryMaps;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.SoldOutLease;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RefuseSoldOutTest {

  private static final UserId ANN = new UserId("ann");
  private static final UserId HOLDER = new UserId("holder");
  private static final Duration JUST_WITHIN = SoldOutLease.LENGTH.minusMillis(1);
  private static final int ENOUGH = 3;

  private final Coupon coupon = aCoupon().build();
  private final ManualClock clock = new ManualClock();
  private final KnownEpochs epochs = new KnownEpochs();
  private final Queue<Runnable> requests = new ArrayDeque<>();
  private Supplier<Optional<SoldOutLease>> stock = () -> Optional.of(HOLDER::equals);
  private boolean rejecting;
  private int requested;

  private final RefuseSoldOut refuseSoldOut =
      new RefuseSoldOut(
          new SoldOutLeases() {
            @Override
            public Optional<SoldOutLease> request(StockAddress address) {
              requested++;
              return stock.get();
            }

            @Override
            public long latest(StockAddress address) {
              throw new AssertionError("not needed to refuse");
            }

            @Override
            public void end(StockAddress address, long lease) {
              throw new AssertionError("not needed to refuse");
            }
          },
          epochs,
          new SoldOutLimits(ENOUGH, Duration.ofMillis(400), 10),
          this::accept,
          InMemoryMaps::unbounded,
          clock,
          IssuanceObserver.silent());

  private void accept(Runnable request) {
    if (rejecting) {
      throw new RejectedExecutionException();
    }
    requests.add(request);
  }

  private void refuseByStock(int times) {
    for (int i = 0; i < times; i++) {
      refuseSoldOut.refusedByStock(coupon);
    }
  }

  private void runRequests() {
    while (!requests.isEmpty()) {
      requests.remove().run();
    }
  }

  private void getLease() {
    epochs.learn(coupon.partition(), new Epoch(3));
    refuseByStock(ENOUGH);
    runRequests();
    assertThat(refuses(ANN)).isTrue();
  }

  private boolean refuses(UserId user) {
    return refuseSoldOut.refuses(coupon, user);
  }

  @Test
  void a_lease_is_requested_after_enough_refusals() {
    refuseByStock(ENOUGH - 1);
    assertThat(requests).isEmpty();

    refuseByStock(1);

    assertThat(requests).hasSize(1);
    assertThat(refuses(ANN)).as("before the lease is granted").isFalse();
    runRequests();
    assertThat(refuses(ANN)).isTrue();
  }

  @Test
  void the_stock_decides_for_users_who_may_have_a_mark() {
    getLease();

    assertThat(refuses(HOLDER)).isFalse();
  }

  @Test
  void a_lease_ends_by_the_monotonic_clock() {
    getLease();
    clock.passMonotonic(JUST_WITHIN);
    assertThat(refuses(ANN)).isTrue();

    clock.passMonotonic(Duration.ofMillis(1));

    assertThat(refuses(ANN)).isFalse();
  }

  @Test
  void a_lease_ends_by_the_wall_clock_on_a_machine_that_was_suspended() {
    getLease();
    clock.passWall(JUST_WITHIN);
    assertThat(refuses(ANN)).isTrue();

    clock.passWall(Duration.ofMillis(1));

    assertThat(refuses(ANN)).isFalse();
  }

  @Test
  void a_lease_ends_if_the_wall_clock_goes_back() {
    getLease();

    clock.passWall(Duration.ofMillis(-1));

    assertThat(refuses(ANN)).isFalse();
  }

  @Test
  void a_lease_counts_from_before_its_request() {
    epochs.learn(coupon.partition(), new Epoch(3));
    stock =
        () -> {
          clock.pass(SoldOutLease.LENGTH);
          return Optional.of(HOLDER::equals);
        };
    refuseByStock(ENOUGH);
    runRequests();

    assertThat(refuses(ANN)).isFalse();
  }

  @Test
  void a_lease_ends_when_a_later_epoch_is_known() {
    getLease();

    epochs.learn(coupon.partition(), new Epoch(4));

    assertThat(refuses(ANN)).isFalse();
  }

  @Test
  void refusals_under_a_lease_renew_it() {
    getLease();
    for (int i = 0; i < 20; i++) {
      clock.pass(Duration.ofMillis(100));
      assertThat(refuses(ANN)).as("after %d tenths of a second", i).isTrue();
      runRequests();
    }
    assertThat(requested).isBetween(5, 6);
  }

  @Test
  void a_coupon_with_few_refusals_has_no_lease() {
    for (int i = 1; i < ENOUGH; i++) {
      clock.pass(Duration.ofMinutes(1));
      refuseByStock(1);
    }

    assertThat(requests).isEmpty();
  }

  @Test
  void a_lease_ends_when_the_stock_does_not_renew_it() {
    getLease();
    stock = Optional::empty;
    clock.pass(Duration.ofMillis(400));
    for (int i = 0; i < ENOUGH; i++) {
      assertThat(refuses(ANN)).isTrue();
    }
    runRequests();

    assertThat(refuses(ANN)).isFalse();
  }

  @Test
  void a_lease_ends_when_the_stock_is_fenced() {
    getLease();
    stock =
        () -> {
          throw new StockFencedException("a later epoch");
        };
    clock.pass(Duration.ofMillis(400));
    for (int i = 0; i < ENOUGH; i++) {
      refuses(ANN);
    }
    runRequests();

    assertThat(refuses(ANN)).isFalse();
  }

  @Test
  void a_failed_request_changes_nothing_and_is_repeated() {
    getLease();
    stock =
        () -> {
          throw new StockUnavailableException(Effect.UNKNOWN, "no reply", null);
        };
    clock.pass(Duration.ofMillis(400));
    for (int i = 0; i < ENOUGH; i++) {
      refuses(ANN);
    }
    runRequests();
    assertThat(refuses(ANN)).isTrue();
    clock.pass(SoldOutLease.LENGTH);
    assertThat(refuses(ANN)).isFalse();

    stock = () -> Optional.of(HOLDER::equals);
    refuseByStock(ENOUGH);
    runRequests();

    assertThat(refuses(ANN)).isTrue();
  }

  @Test
  void a_request_that_cannot_be_started_is_repeated() {
    rejecting = true;
    refuseByStock(ENOUGH);
    rejecting = false;
    clock.pass(Duration.ofSeconds(1));

    refuseByStock(ENOUGH);

    assertThat(requests).hasSize(1);
  }

  @Test
  void one_request_of_a_coupon_is_in_flight() {
    refuseByStock(ENOUGH);
    clock.pass(Duration.ofSeconds(10));
    refuseByStock(10 * ENOUGH);

    assertThat(requests).hasSize(1);
  }

  @Test
  void a_coupon_in_the_database_has_no_lease() {
    var inPostgres = aCoupon().withId("ROWS").inPostgres().build();
    for (int i = 0; i < 10 * ENOUGH; i++) {
      refuseSoldOut.refusedByStock(inPostgres);
    }

    assertThat(requests).isEmpty();
  }
}
