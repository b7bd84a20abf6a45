package io.firstcome.contracts.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.stock.StockScenario.FIRST;
import static io.firstcome.contracts.stock.StockScenario.claim;
import static io.firstcome.contracts.stock.StockScenario.opened;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The in-memory backend against {@link HandoffLogContract}. */
class InMemoryHandoffLogTest extends HandoffLogContract {

  private static final Duration AGE = Duration.ofSeconds(10);

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    return new InMemoryStockBackend(InstantSource.system(), 100);
  }

  /** {@code RedisClockJumpIT} tests the same with Redis. */
  @Test
  void entries_read_while_the_clock_was_ahead_are_read_again_immediately() {
    var ahead = new AtomicReference<>(Duration.ofDays(30));
    var backend =
        new InMemoryStockBackend(() -> InstantSource.system().instant().plus(ahead.get()), 100);
    claim(backend.stock(), opened(backend, aCoupon().build(), FIRST), "ann");
    assertThat(backend.log().readNew(10, Duration.ofMillis(1))).hasSize(1);
    assertThat(backend.log().readStale(AGE, 10)).isEmpty();

    ahead.set(Duration.ZERO);
    assertThat(backend.log().readStale(AGE, 10)).hasSize(1);
    assertThat(backend.log().readStale(AGE, 10)).isEmpty();
  }
}
