package io.firstcome.application.coupon;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.Interposed;
import io.firstcome.application.SettableClock;
import io.firstcome.contracts.ConcurrentCalls;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseUnavailableException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OpenCouponsTest {

  private static final int CALLERS = 1_000;

  /** A page with the coupon, and an empty one. */
  private static final int PAGES = 2;

  private final SettableClock clock = new SettableClock();
  private final InMemoryDatabase database = new InMemoryDatabase(clock);
  private final Coupon coupon = aCoupon().build();

  private final AtomicInteger queries = new AtomicInteger();

  /** Runs before each query. */
  private Runnable beforeQuery = () -> {};

  private final OpenCoupons open =
      new OpenCoupons(
          Interposed.before(
                  CouponRepository.class,
                  "open",
                  () -> {
                    queries.incrementAndGet();
                    beforeQuery.run();
                  })
              .port(CouponRepository.class, database.coupons()),
          clock);

  @BeforeEach
  void define() {
    assertThat(database.coupons().addIfAbsent(coupon, OPERATOR, ACCEPTED_AT)).isTrue();
  }

  /** The results of calls that all wait for the first query, or for one of their own. */
  private List<? extends Future<List<Coupon>>> listConcurrently() throws InterruptedException {
    var calls = new ConcurrentCalls<>(CALLERS, open::list);
    beforeQuery = calls::awaitOthers;
    try {
      return calls.results();
    } finally {
      beforeQuery = () -> {};
    }
  }

  @Test
  void callers_share_the_first_read() throws InterruptedException {
    assertThat(listConcurrently())
        .allSatisfy(found -> assertThat(found.resultNow()).containsExactly(coupon));

    assertThat(queries).hasValue(PAGES);
  }

  /** Otherwise each would wait for the database's timeout in its turn. */
  @Test
  void callers_share_the_first_read_also_if_it_fails() throws InterruptedException {
    database.disconnect();

    assertThat(listConcurrently())
        .allSatisfy(found ->
            assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(found::get)
                .withCauseInstanceOf(DatabaseUnavailableException.class));
    assertThat(queries).hasValue(1);

    database.reconnect();
    assertThat(open.list()).containsExactly(coupon);
  }

  @Test
  void the_coupons_are_read_again_after_some_seconds_and_kept_if_that_fails() {
    assertThat(open.list()).containsExactly(coupon);
    assertThat(open.list()).containsExactly(coupon);
    assertThat(queries).hasValue(PAGES);
    clock.advance(OpenCoupons.FRESH_FOR);
    database.disconnect();

    assertThat(open.list()).containsExactly(coupon);

    assertThat(queries).hasValue(PAGES + 1);
  }
}
