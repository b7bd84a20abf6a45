package io.firstcome.bootstrap.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.operation.health.LoopsHealthIndicator;
import io.firstcome.domain.port.IssuanceObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopTest {

  private static final Duration SOON = Duration.ofMillis(1);
  private static final Duration LONG = Duration.ofSeconds(20);

  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger rounds = new AtomicInteger();
  private final CountDownLatch wentOn = new CountDownLatch(1);
  private final List<Loop> started = new ArrayList<>();

  private final IssuanceObserver observer =
      new IssuanceObserver() {
        @Override
        public void roundFailed(String round, Throwable cause) {
          failures.add(cause);
        }
      };

  @AfterEach
  void stop() {
    started.forEach(Loop::stop);
  }

  /** Starts a loop whose first round fails; the next round counts {@link #wentOn} down. */
  private Loop failingOnce(Runnable failure, IssuanceObserver reported) {
    var loop =
        new Loop(
            "work",
            () -> {
              if (rounds.getAndIncrement() == 0) {
                failure.run();
              }
              wentOn.countDown();
              return LONG;
            },
            Loop.Pauses.always(SOON),
            reported);
    started.add(loop);
    loop.start();
    return loop;
  }

  private void assertGoesOn(Loop loop) throws InterruptedException {
    assertThat(wentOn.await(LONG.toSeconds(), TimeUnit.SECONDS)).as("another round").isTrue();
    assertThat(loop.hasDied()).isFalse();
  }

  @Test
  void an_exception_is_reported_and_ends_no_loop() throws InterruptedException {
    var failure = new IllegalStateException("a bug");
    assertGoesOn(
        failingOnce(
            () -> {
              throw failure;
            },
            observer));
    assertThat(failures).containsExactly(failure);
  }

  @Test
  void an_error_is_reported_and_ends_no_loop() throws InterruptedException {
    var failure = new OutOfMemoryError("for one round");
    assertGoesOn(
        failingOnce(
            () -> {
              throw failure;
            },
            observer));
    assertThat(failures).containsExactly(failure);
  }

  @Test
  void pauses_grow_with_each_failure_in_a_row_and_have_an_end() {
    var pauses = new Loop.Pauses(Duration.ofMillis(500), Duration.ofSeconds(5));

    assertThat(IntStream.of(1, 2, 3, 4, 5, 1_000_000).mapToObj(pauses::after))
        .extracting(Duration::toMillis)
        .containsExactly(500L, 1_000L, 2_000L, 4_000L, 5_000L, 5_000L);
  }

  @Test
  void a_round_that_succeeds_begins_the_pauses_anew() throws InterruptedException {
    var begins = Collections.synchronizedList(new ArrayList<Long>());
    var loop =
        new Loop(
            "work",
            () -> {
              begins.add(System.nanoTime());
              int round = rounds.getAndIncrement();
              if (round == 3) {
                return Duration.ZERO;
              } else if (round < 5) {
                throw new IllegalStateException("round " + round);
              }
              wentOn.countDown();
              return LONG;
            },
            new Loop.Pauses(Duration.ofMillis(200), LONG),
            observer);
    started.add(loop);
    loop.start();

    assertGoesOn(loop);
    // After the third failure 800 ms, after the one that follows a success 200 ms again.
    assertThat(begins.get(3) - begins.get(2)).isGreaterThan(Duration.ofMillis(700).toNanos());
    assertThat(begins.get(5) - begins.get(4)).isLessThan(begins.get(3) - begins.get(2));
  }

  @Test
  void a_report_that_fails_ends_no_loop() throws InterruptedException {
    assertGoesOn(
        failingOnce(
            () -> {
              throw new OutOfMemoryError("for one round");
            },
            new IssuanceObserver() {
              @Override
              public void roundFailed(String round, Throwable cause) {
                throw new OutOfMemoryError("for the log line");
              }
            }));
  }

  @Test
  void an_interrupt_that_nothing_asked_for_ends_no_loop() throws InterruptedException {
    assertGoesOn(failingOnce(() -> Thread.currentThread().interrupt(), observer));
    awaitRounds(2);
  }

  private void awaitRounds(int atLeast) {
    long end = System.nanoTime() + LONG.toNanos();
    while (rounds.get() < atLeast && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertThat(rounds.get()).isGreaterThanOrEqualTo(atLeast);
  }

  @Test
  void a_loop_that_is_stopped_has_not_died() throws InterruptedException {
    var loop = failingOnce(() -> {}, observer);
    assertGoesOn(loop);

    loop.stop();

    assertThat(loop.awaitEnd(LONG)).isTrue();
    assertThat(loop.hasDied()).isFalse();
  }

  @Test
  void a_loop_whose_thread_is_gone_has_died_and_is_not_live() throws InterruptedException {
    var dead = loopWithoutThread();
    dead.start();
    dead.awaitEnd(LONG);

    assertThat(dead.hasDied()).isTrue();
    var work =
        new WorkInLoops(observer) {
          @Override
          List<Loop> loops() {
            return List.of(loopWithoutThread(), loop("alive", () -> LONG));
          }
        };
    work.start();
    try {
      awaitDead(work);
      var health = new LoopsHealthIndicator(List.of(work)).health();
      assertThat(health.getStatus().getCode()).isEqualTo("DOWN");
      assertThat(health.getDetails()).containsEntry("dead", List.of("lost"));
    } finally {
      work.stop();
    }
  }

  private static void awaitDead(WorkInLoops work) {
    long end = System.nanoTime() + LONG.toNanos();
    while (work.dead().isEmpty() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  /** A loop whose thread ends at once, as after an unforeseen failure. */
  private Loop loopWithoutThread() {
    return new Loop(
        "lost",
        () -> LONG,
        Loop.Pauses.always(SOON),
        observer,
        _ -> Thread.ofPlatform().unstarted(() -> {}));
  }
}
