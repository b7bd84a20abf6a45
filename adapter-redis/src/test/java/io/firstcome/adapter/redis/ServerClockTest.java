package io.firstcome.adapter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServerClockTest {

  private static final Instant NOW = Instant.parse("2026-05-01T09:00:00Z");
  private static final Duration MONTH = Duration.ofDays(30);

  private @Nullable Instant databaseTime;
  private final ServerClock clock = new ServerClock(this::askDatabase);

  private Instant askDatabase() {
    if (databaseTime == null) {
      throw new DatabaseUnavailableException(
          Effect.NONE, "not reachable", new IllegalStateException("not reachable"));
    }
    return databaseTime;
  }

  private void read(Instant time) {
    clock.read(time.toEpochMilli(), System.nanoTime());
  }

  private void assertThatNoCallIsMade() {
    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() -> clock.from(Duration.ofSeconds(1)))
        .matches(e -> e.effect() == Effect.NONE);
  }

  @Test
  void a_first_reading_is_not_used_while_the_database_is_unreachable() {
    read(NOW.plus(MONTH));
    assertThatNoCallIsMade();

    databaseTime = NOW;
    read(NOW.plus(MONTH));
    assertThatNoCallIsMade();

    read(NOW);
    assertThat(clock.from(Duration.ofSeconds(1)).notAfter())
        .isLessThan(NOW.plus(MONTH).toEpochMilli());
  }

  @Test
  void later_readings_are_used_while_the_database_is_unreachable() {
    databaseTime = NOW;
    read(NOW);

    databaseTime = null;
    read(NOW);

    assertThat(clock.from(Duration.ofSeconds(1)).notBefore()).isLessThan(NOW.toEpochMilli());
  }
}
