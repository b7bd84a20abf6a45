package io.firstcome.bootstrap.rest.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PacedCallsTest {

  private static final Duration WORK = Duration.ofMillis(400);
  private static final Duration LONG_WORK = Duration.ofMillis(900);
  private static final int CALLERS = 20;

  private static final UserId ANN = new UserId("ann");

  private final PacedCalls paced = new PacedCalls(Duration.ofSeconds(2));
  private final AtomicInteger concurrent = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  private boolean isDone(Duration work) {
    try {
      return paced.call(
          ANN,
          () -> {
            most.accumulateAndGet(concurrent.incrementAndGet(), Math::max);
            work(work);
            concurrent.decrementAndGet();
            return true;
          });
    } catch (Problem problem) {
      assertThat(problem.body().getStatus()).isEqualTo(503);
      return false;
    }
  }

  private static void work(Duration work) {
    try {
      Thread.sleep(work);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void many_callers_at_once_get_a_part_of_the_time_and_the_others_are_refused() {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls =
          IntStream.range(0, CALLERS)
              .mapToObj(i -> CompletableFuture.supplyAsync(() -> isDone(WORK), threads))
              .toList();

      // One at once, and one after its pause of 1.2 s; the others wait for two seconds only.
      assertThat(calls).filteredOn(CompletableFuture::join).hasSizeBetween(1, 3);
      assertThat(most).hasValue(1);
    }
  }

  @Test
  void a_call_follows_another_one_after_a_pause() {
    long begin = System.nanoTime();
    assertThat(isDone(WORK)).isTrue();
    assertThat(isDone(WORK)).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(WORK.multipliedBy(5));
  }

  @Test
  void a_call_in_a_long_pause_is_refused_at_once() {
    assertThat(isDone(LONG_WORK)).isTrue();
    long begin = System.nanoTime();
    assertThat(isDone(LONG_WORK)).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(LONG_WORK);
  }

  @Test
  void a_call_keeps_no_virtual_thread_from_a_processor() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var isVirtual =
          threads.submit(() -> paced.call(ANN, () -> Thread.currentThread().isVirtual()));

      assertThat(isVirtual.get()).isFalse();
    }
  }
}
