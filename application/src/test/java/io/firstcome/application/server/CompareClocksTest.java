package io.firstcome.application.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.ClocksForTests;
import io.firstcome.application.SettableClock;
import io.firstcome.application.server.CompareClocks.Difference;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.Observation;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.port.ServerTime;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CompareClocksTest {

  private static final Duration WEEK = Duration.ofDays(7);

  private final SettableClock database = new SettableClock();
  private Duration ownAhead = Duration.ZERO;
  private @Nullable Duration redisAhead = Duration.ZERO;
  private final List<String> reported = new ArrayList<>();
  private final CompareClocks clocks =
      new CompareClocks(
          ClocksForTests.databaseClock(database),
          () -> database.instant().plus(ownAhead),
          List.of(new Redis()),
          new Listener());

  private final class Redis implements ServerTime {

    @Override
    public String server() {
      return "Redis";
    }

    @Override
    public Instant ask() {
      if (redisAhead == null) {
        throw new StockUnavailableException(Effect.NONE, "not reachable", null);
      }
      return database.instant().plus(redisAhead);
    }
  }

  private final class Listener implements IssuanceObserver {

    @Override
    public void observe(Observation observation) {
      switch (observation) {
        case OperationObservation.ClockDiffers(String clock, Duration ahead) ->
            reported.add(clock + " differs by " + ahead);
        case OperationObservation.ClockAgrees(String clock) -> reported.add(clock + " agrees");
        default -> throw new AssertionError(observation);
      }
    }
  }

  @Test
  void a_small_clock_difference_is_not_reported() {
    ownAhead = Duration.ofSeconds(5);
    redisAhead = Duration.ofSeconds(-5);
    clocks.compare();

    assertThat(clocks.doubts()).isEmpty();
    assertThat(reported).isEmpty();
    assertThat(clocks.undoubted()).contains(database.instant());
    assertThat(clocks.latest())
        .containsExactly(
            new Difference("Redis", Duration.ofSeconds(-5)),
            new Difference(CompareClocks.OWN, Duration.ofSeconds(5)));
  }

  @Test
  void each_clock_difference_is_reported_once_and_so_is_its_end() {
    ownAhead = WEEK;
    clocks.compare();
    clocks.compare();
    assertThat(clocks.doubts())
        .containsExactly(
            "the clock of this instance is 604800.0 s ahead of that of PostgreSQL, and should not"
                + " differ by more than 5 s");
    assertThat(clocks.undoubted()).isEmpty();

    ownAhead = Duration.ZERO;
    redisAhead = WEEK.negated();
    clocks.compare();
    clocks.compare();
    assertThat(clocks.doubts()).singleElement().asString().contains("Redis is 604800.0 s behind");
    assertThat(clocks.undoubted()).isPresent();

    assertThat(reported)
        .containsExactly(
            "this instance differs by PT168H", "this instance agrees", "Redis differs by PT-168H");
  }

  @Test
  void a_server_that_does_not_reply_keeps_its_last_difference() {
    redisAhead = WEEK;
    clocks.compare();
    redisAhead = null;
    clocks.compare();

    assertThat(clocks.doubts()).hasSize(1);
  }
}
