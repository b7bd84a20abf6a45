package io.firstcome.bootstrap.rest.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.problem.Problem;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PacedCallsTest {

  private static final Duration WORK = Duration.ofMillis(400);
  private static final int CALLERS = 20;

  private final PacedCalls paced = new PacedCalls();
  private final AtomicInteger concurrent = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  private boolean isDone() {
    try {
      return paced.call(() -> {
        most.accumulateAndGet(concurrent.incrementAndGet(), Math::max);
        work();
        concurrent.decrementAndGet();
        return true;
      });
    } catch (Problem problem) {
      assertThat(problem.body().getStatus()).isEqualTo(503);
      return false;
    }
  }

  private static void work() {
    try {
      Thread.sleep(WORK);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void many_callers_at_once_get_a_part_of_the_time_and_the_others_are_refused() {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls =
          IntStream.range(0, CALLERS)
              .mapToObj(i -> CompletableFuture.supplyAsync(this::isDone, threads))
              .toList();

      // One at once, and one after its pause of 1.2 s; the others wait for two seconds only.
      assertThat(calls).filteredOn(CompletableFuture::join).hasSizeBetween(1, 3);
      assertThat(most).hasValue(1);
    }
  }

  @Test
  void a_call_follows_another_one_after_a_pause() {
    long begin = System.nanoTime();
    assertThat(isDone()).isTrue();
    assertThat(isDone()).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(WORK.multipliedBy(5));
  }
}
