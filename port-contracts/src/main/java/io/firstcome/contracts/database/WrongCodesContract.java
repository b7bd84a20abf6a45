package io.firstcome.contracts.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.port.WrongCodes;
import io.firstcome.domain.shop.CodeSource;
import io.firstcome.domain.shop.CodeSource.Kind;
import io.firstcome.domain.shop.ShopId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every {@link WrongCodes} does. */
public abstract class WrongCodesContract extends DatabaseContract {

  private static final Instant NOW = Instant.parse("2026-05-01T10:00:00.123Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final ShopId SHOP = new ShopId("berlin");
  private static final CodeSource TILL = CodeSource.of(SHOP);
  private static final int CALLERS = 200;
  private static final int THREADS = 16;

  private WrongCodes wrongCodes() {
    return database().wrongCodes();
  }

  private WrongCodes.Count add(CodeSource source, Instant at) {
    return Objects.requireNonNull(wrongCodes().add(List.of(source), at, MINUTE).get(source));
  }

  private Optional<WrongCodes.Count> find(CodeSource source) {
    return Optional.ofNullable(wrongCodes().find(List.of(source)).get(source));
  }

  private static CodeSource customer(String name) {
    return new CodeSource(SHOP, Kind.CUSTOMER, name);
  }

  private static WrongCodes.Count count(Instant since, int number) {
    return new WrongCodes.Count(since, number);
  }

  @Test
  void a_source_without_wrong_codes_has_no_count() {
    add(TILL, NOW);

    assertThat(find(CodeSource.of(new ShopId("BERLIN")))).isEmpty();
  }

  @Test
  void a_window_begins_with_the_first_wrong_code() {
    assertThat(add(TILL, NOW)).isEqualTo(count(NOW, 1));
    assertThat(add(TILL, NOW.plusSeconds(59))).isEqualTo(count(NOW, 2));
    assertThat(add(TILL, NOW.plus(MINUTE).minusMillis(1))).isEqualTo(count(NOW, 3));

    assertThat(find(TILL)).contains(count(NOW, 3));
  }

  @Test
  void a_window_that_has_ended_is_replaced_by_the_next_window() {
    add(TILL, NOW);
    add(TILL, NOW.plusSeconds(30));
    var end = NOW.plus(MINUTE);

    assertThat(add(TILL, end)).isEqualTo(count(end, 1));
    assertThat(add(TILL, end.plusSeconds(1))).isEqualTo(count(end, 2));
    assertThat(find(TILL)).contains(count(end, 2));
  }

  @Test
  void a_count_is_kept_after_its_window_has_ended() {
    add(TILL, NOW);

    assertThat(find(TILL)).contains(count(NOW, 1));
  }

  @Test
  void a_caller_whose_clock_is_behind_counts_in_the_same_window() {
    add(TILL, NOW);

    assertThat(add(TILL, NOW.minusSeconds(5))).isEqualTo(count(NOW, 2));
  }

  @Test
  void each_source_has_its_own_count() {
    var other = customer("ann");
    add(TILL, NOW);
    add(TILL, NOW);

    assertThat(add(other, NOW.plusSeconds(1))).isEqualTo(count(NOW.plusSeconds(1), 1));
    assertThat(find(TILL)).contains(count(NOW, 2));
  }

  @Test
  void a_wrong_code_counts_for_each_of_its_sources() {
    var ann = customer("ann");
    var address = new CodeSource(SHOP, Kind.ADDRESS, "ann");
    add(TILL, NOW);

    assertThat(wrongCodes().add(List.of(TILL, ann, address), NOW, MINUTE))
        .isEqualTo(Map.of(TILL, count(NOW, 2), ann, count(NOW, 1), address, count(NOW, 1)));
    assertThat(wrongCodes().find(List.of(TILL, ann, customer("bob"))))
        .isEqualTo(Map.of(TILL, count(NOW, 2), ann, count(NOW, 1)));
  }

  @Test
  void counts_whose_window_has_ended_are_deleted_oldest_first() {
    var now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    var open = customer("ann");
    var older = customer("bob");
    add(TILL, now.minus(MINUTE.multipliedBy(2)));
    add(older, now.minus(MINUTE.multipliedBy(3)));
    add(open, now);

    assertThat(wrongCodes().forget(MINUTE, 1)).isEqualTo(1);
    assertThat(find(older)).isEmpty();
    assertThat(find(TILL)).isPresent();

    assertThat(wrongCodes().forget(MINUTE, PAGE)).isEqualTo(1);
    assertThat(find(TILL)).isEmpty();
    assertThat(find(open)).contains(count(now, 1));
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
    assertThat(find(TILL)).contains(count(NOW, CALLERS));
  }
}
