package io.firstcome.contracts.stock.history;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.contracts.stock.HandoffStockUnderTest;
import io.firstcome.contracts.stock.InMemoryStockBackend;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** The reference replies as itself, and a backend that differs is detected. */
class InMemoryStockHistoriesTest extends StockHistoriesContract {

  private static final int ENOUGH_TO_FILL_A_LOG = 50;

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    return withLogCap(LOG_CAP);
  }

  private static HandoffStockUnderTest withLogCap(int logCap) {
    return new InMemoryStockBackend(InstantSource.system(), logCap);
  }

  @Test
  void a_difference_is_reported_with_the_seed_and_the_steps_before_it() {
    assertThatThrownBy(InMemoryStockHistoriesTest::playAgainstALargerLog)
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching(
            "(?s)seed \\d+ .*  1  .* Claims\\[[^\\n]* -> [^\\n]*Busy.*"
                + "reference: [^\\n]*Busy[^\\n]*\\n  tested: [^\\n]*Accepted.*");
  }

  private static void playAgainstALargerLog() {
    for (long seed = 1; seed <= ENOUGH_TO_FILL_A_LOG; seed++) {
      new StockHistory(seed, withLogCap(LOG_CAP), withLogCap(LOG_CAP + 1), event -> {}).play();
    }
  }
}
