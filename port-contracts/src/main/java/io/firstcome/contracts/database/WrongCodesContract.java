package io.firstcome.contracts.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.WrongCodes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every {@link WrongCodes} does. */
public abstract class WrongCodesContract extends DatabaseContract {

  private static final Instant NOW = Instant.parse("2026-05-01T10:00:00.123Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final UserId TILL = new UserId("till-7");
  private static final int CALLERS = 200;
  private static final int THREADS = 16;

  private WrongCodes wrongCodes() {
    return database().wrongCodes();
  }

  private WrongCodes.Count add(UserId caller, Instant at) {
    return wrongCodes().add(caller, at, MINUTE);
  }

  private static WrongCodes.Count count(Instant since, int number) {
    return new WrongCodes.Count(since, number);
  }

  @Test
  void a_caller_without_wrong_codes_has_no_count() {
    add(TILL, NOW);

    assertThat(wrongCodes().find(new UserId("TILL-7"))).isEmpty();
  }

  @Test
  void a_window_begins_with_the_first_wrong_code() {
    assertThat(add(TILL, NOW)).isEqualTo(count(NOW, 1));
    assertThat(add(TILL, NOW.plusSeconds(59))).isEqualTo(count(NOW, 2));
    assertThat(add(TILL, NOW.plus(MINUTE).minusMillis(1))).isEqualTo(count(NOW, 3));

    assertThat(wrongCodes().find(TILL)).contains(count(NOW, 3));
  }

  @Test
  void a_window_that_has_ended_is_replaced_by_the_next_window() {
    add(TILL, NOW);
    add(TILL, NOW.plusSeconds(30));
    var end = NOW.plus(MINUTE);

    assertThat(add(TILL, end)).isEqualTo(count(end, 1));
    assertThat(add(TILL, end.plusSeconds(1))).isEqualTo(count(end, 2));
    assertThat(wrongCodes().find(TILL)).contains(count(end, 2));
  }

  @Test
  void a_count_is_kept_after_its_window_has_ended() {
    add(TILL, NOW);

    assertThat(wrongCodes().find(TILL)).contains(count(NOW, 1));
  }

  @Test
  void a_caller_whose_clock_is_behind_counts_in_the_same_window() {
    add(TILL, NOW);

    assertThat(add(TILL, NOW.minusSeconds(5))).isEqualTo(count(NOW, 2));
  }

  @Test
  void each_caller_has_its_own_count() {
    var other = new UserId("till-8");
    add(TILL, NOW);
    add(TILL, NOW);

    assertThat(add(other, NOW.plusSeconds(1))).isEqualTo(count(NOW.plusSeconds(1), 1));
    assertThat(wrongCodes().find(TILL)).contains(count(NOW, 2));
  }

  @Test
  void counts_whose_window_has_ended_are_deleted_oldest_first() {
    var now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    var open = new UserId("till-8");
    var older = new UserId("till-9");
    add(TILL, now.minus(MINUTE.multipliedBy(2)));
    add(older, now.minus(MINUTE.multipliedBy(3)));
    add(open, now);

    assertThat(wrongCodes().forget(MINUTE, 1)).isEqualTo(1);
    assertThat(wrongCodes().find(older)).isEmpty();
    assertThat(wrongCodes().find(TILL)).isPresent();

    assertThat(wrongCodes().forget(MINUTE, PAGE)).isEqualTo(1);
    assertThat(wrongCodes().find(TILL)).isEmpty();
    assertThat(wrongCodes().find(open)).contains(count(now, 1));
    assertThat(wrongCodes().forget(MINUTE, PAGE)).isZero();
  }

  @Test
  @Timeout(60)
  void two_hundred_concurrent_wrong_codes_are_each_counted_with_a_different_number()
      throws Exception {
    var numbers = new ArrayList<Integer>();
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<WrongCodes.Count>> calls = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        calls.add(() -> add(TILL, NOW));
      }
      for (var counted : threads.invokeAll(calls)) {
        numbers.add(counted.get().number());
      }
    }

    assertThat(numbers)
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, CALLERS).boxed().toList());
    assertThat(wrongCodes().find(TILL)).contains(count(NOW, CALLERS));
  }
}
