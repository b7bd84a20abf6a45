package io.firstcome.contracts.stock.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.stock.HandoffStockUnderTest;
import io.firstcome.contracts.stock.InMemoryStockBackend;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A stock backend replies as the reference does on random histories, with everything that can
 * happen to a stock except the passing of time.
 *
 * <p>{@code -Dfirstcome.differential.histories=10000} runs that many, {@code
 * -Dfirstcome.differential.seed=4711} the one of that seed.
 */
public abstract class StockHistoriesContract {

  /** The number of entries at which the log of the backend under test is full. */
  protected static final int LOG_CAP = 3;

  private static final int HISTORIES = 140;
  private static final int TIMES_EACH = 10;

  private static final @Nullable Long SEED = Long.getLong("firstcome.differential.seed");
  private static final int COUNT =
      Integer.getInteger("firstcome.differential.histories", HISTORIES);

  /** An empty backend whose log is full at {@link #LOG_CAP} entries; the previous one is unused. */
  protected abstract HandoffStockUnderTest emptyBackend();

  @Test
  void the_backend_has_the_same_results_and_state_as_the_reference() {
    Map<Event, Integer> events = new EnumMap<>(Event.class);
    seeds().forEach(seed -> play(seed, events));
    print(events);
    if (SEED == null && COUNT >= HISTORIES) {
      for (var event : Event.values()) {
        assertThat(events.getOrDefault(event, 0))
            .as(event.words())
            .isGreaterThanOrEqualTo(TIMES_EACH);
      }
    }
  }

  private static LongStream seeds() {
    return SEED == null ? LongStream.rangeClosed(1, COUNT) : LongStream.of(SEED);
  }

  @Test
  void a_seed_always_makes_the_same_history() {
    assertThat(play(1, new EnumMap<>(Event.class))).isEqualTo(play(1, new EnumMap<>(Event.class)));
  }

  private List<String> play(long seed, Map<Event, Integer> events) {
    var history =
        new StockHistory(
            seed,
            new InMemoryStockBackend(InstantSource.system(), LOG_CAP),
            emptyBackend(),
            event -> events.merge(event, 1, Integer::sum));
    history.play();
    return history.trace();
  }

  private static void print(Map<Event, Integer> events) {
    var table = new StringBuilder("events of %d histories:%n".formatted(SEED == null ? COUNT : 1));
    for (var event : Event.values()) {
      table.append("%8d  %s%n".formatted(events.getOrDefault(event, 0), event.words()));
    }
    System.out.println(table);
  }
}
