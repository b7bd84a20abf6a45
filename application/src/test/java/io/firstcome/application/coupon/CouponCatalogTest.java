package io.firstcome.application.coupon;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.Interposed;
import io.firstcome.application.SettableClock;
import io.firstcome.application.stock.FreeSlots;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.contracts.ConcurrentCalls;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.contracts.stock.InMemoryStockBackend;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CouponCatalogTest {

  private static final int CALLERS = 10_000;

  private final SettableClock clock = new SettableClock();
  private final InMemoryDatabase database = new InMemoryDatabase(clock);
  private final Coupon coupon = aCoupon().build();

  private final AtomicInteger queries = new AtomicInteger();

  /** Runs before each query. */
  private Runnable beforeQuery = () -> {};

  private final Queue<Runnable> reads = new ArrayDeque<>();
  private final CouponCatalog catalog =
      new CouponCatalog(
          Interposed.before(
                  CouponRepository.class,
                  "find",
                  () -> {
                    queries.incrementAndGet();
                    beforeQuery.run();
                  })
              .port(CouponRepository.class, database.coupons()),
          InMemoryMaps::unbounded,
          reads::add,
          clock);

  private void define() {
    assertThat(database.coupons().addIfAbsent(coupon, OPERATOR, ACCEPTED_AT)).isTrue();
  }

  private Coupon pause() {
    var paused = (CouponChange.Changed) coupon.pause();
    assertThat(database.coupons().change(paused, OPERATOR, ACCEPTED_AT)).isTrue();
    return paused.coupon();
  }

  private CouponStatus status() {
    return catalog.find(coupon.id()).orElseThrow().status();
  }

  /** The results of calls that all wait for the first query, or for one of their own. */
  private List<? extends Future<Optional<Coupon>>> findConcurrently() throws InterruptedException {
    var calls = new ConcurrentCalls<>(CALLERS, () -> catalog.find(coupon.id()));
    beforeQuery = calls::awaitOthers;
    try {
      return calls.results();
    } finally {
      beforeQuery = () -> {};
    }
  }

  @Test
  void concurrent_first_calls_share_one_query() throws InterruptedException {
    define();

    assertThat(findConcurrently())
        .allSatisfy(found -> assertThat(found.resultNow()).contains(coupon));

    assertThat(queries).hasValue(1);
  }

  @Test
  void concurrent_calls_for_an_unknown_id_share_one_query() throws InterruptedException {
    assertThat(findConcurrently()).allSatisfy(found -> assertThat(found.resultNow()).isEmpty());

    assertThat(queries).hasValue(1);
  }

  /** Otherwise each would wait for the database's timeout in its turn. */
  @Test
  void concurrent_first_calls_share_one_failure() throws InterruptedException {
    define();
    database.disconnect();

    assertThat(findConcurrently())
        .allSatisfy(found ->
            assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(found::get)
                .withCauseInstanceOf(DatabaseUnavailableException.class));
    assertThat(queries).hasValue(1);

    database.reconnect();
    assertThat(catalog.find(coupon.id())).contains(coupon);
  }

  @Test
  void an_unknown_id_is_queried_at_intervals() {
    for (int i = 0; i < 100; i++) {
      assertThat(catalog.find(coupon.id())).isEmpty();
    }
    assertThat(queries).hasValue(1);

    clock.advance(CouponCatalog.ABSENT_FOR);
    assertThat(catalog.find(coupon.id())).isEmpty();
    assertThat(queries).hasValue(2);
  }

  /** No concurrent caller gets an answer from before the definition. */
  @Test
  void an_id_that_was_unknown_is_known_to_all_concurrent_callers() throws InterruptedException {
    assertThat(catalog.find(coupon.id())).isEmpty();
    define();
    clock.advance(CouponCatalog.ABSENT_FOR);

    assertThat(findConcurrently())
        .allSatisfy(found -> assertThat(found.resultNow()).contains(coupon));

    assertThat(queries).hasValue(2);
  }

  @Test
  void a_coupon_that_this_instance_defined_is_known_at_once() {
    assertThat(catalog.find(coupon.id())).isEmpty();
    define();
    catalog.remember(coupon);

    assertThat(catalog.find(coupon.id())).contains(coupon);
    assertThat(queries).hasValue(1);
  }

  @Test
  void a_change_by_another_instance_is_read_asynchronously() {
    define();
    assertThat(status()).isEqualTo(CouponStatus.ACTIVE);
    pause();
    clock.advance(CouponCatalog.REFRESH_AFTER.minusMillis(1));
    assertThat(status()).isEqualTo(CouponStatus.ACTIVE);
    assertThat(reads).isEmpty();

    clock.advance(Duration.ofMillis(1));
    assertThat(status()).isEqualTo(CouponStatus.ACTIVE);
    assertThat(status()).isEqualTo(CouponStatus.ACTIVE);
    assertThat(queries).hasValue(1);

    assertThat(reads).hasSize(1);
    reads.remove().run();
    assertThat(status()).isEqualTo(CouponStatus.PAUSED);
    assertThat(queries).hasValue(2);
  }

  @Test
  void a_cached_coupon_is_used_while_the_database_is_unreachable() {
    define();
    assertThat(status()).isEqualTo(CouponStatus.ACTIVE);
    database.disconnect();
    clock.advance(CouponCatalog.REFRESH_AFTER);
    assertThat(status()).isEqualTo(CouponStatus.ACTIVE);
    reads.remove().run();

    assertThat(status()).isEqualTo(CouponStatus.ACTIVE);
    assertThat(reads).as("until the next interval").isEmpty();

    database.reconnect();
    pause();
    clock.advance(CouponCatalog.REFRESH_AFTER);
    assertThat(status()).isEqualTo(CouponStatus.ACTIVE);
    reads.remove().run();
    assertThat(status()).isEqualTo(CouponStatus.PAUSED);
  }

  @Test
  void a_read_that_began_before_a_change_does_not_replace_it() {
    define();
    assertThat(status()).isEqualTo(CouponStatus.ACTIVE);
    clock.advance(CouponCatalog.REFRESH_AFTER);
    assertThat(status()).isEqualTo(CouponStatus.ACTIVE);
    var paused = pause();
    catalog.remember(paused);
    database.coupons().change((CouponChange.Changed) paused.resume(), OPERATOR, ACCEPTED_AT);

    reads.remove().run();

    assertThat(catalog.find(coupon.id())).contains(paused);
  }

  @Test
  void a_coupon_that_was_read_is_known_while_the_database_is_unreachable() {
    define();
    var stock = new InMemoryStockBackend(clock, 100);
    var readCoupon =
        new ReadCoupon(
            database.coupons(),
            catalog,
            new FreeSlots(stock.stock(), new KnownEpochs()),
            database.userCoupons(),
            clock);
    assertThat(readCoupon.read(coupon.id())).isPresent();
    database.disconnect();

    assertThat(catalog.find(coupon.id())).contains(coupon);
    assertThat(queries).hasValue(0);
  }

  @Test
  void an_earlier_revision_does_not_replace_a_later_one() {
    define();
    var paused = pause();
    catalog.remember(paused);
    catalog.remember(coupon);

    assertThat(catalog.find(coupon.id())).contains(paused);
  }
}
