package io.firstcome.bootstrap.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
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
  private final CountDownLatch continued = new CountDownLatch(1);
  private final List<Loop> started = new ArrayList<>();

  private final IssuanceObserver observer =
      observation -> {
        if (observation instanceof OperationObservation.RoundFailed(_, Throwable cause)) {
          failures.add(cause);
        }
      };

  @AfterEach
  void stop() {
    started.forEach(Loop::stop);
  }

  /** Starts a loop whose first round fails; the next round counts {@link #continued} down. */
  private Loop failingOnce(Runnable failure, IssuanceObserver reported) {
    var loop =
        new Loop(
            "work",
            () -> {
              if (rounds.getAndIncrement() == 0) {
                failure.run();
              }
              continued.countDown();
              return LONG;
            },
            Loop.Pauses.always(SOON),
            reported);
    started.add(loop);
    loop.start();
    return loop;
  }

  private void assertContinues(Loop loop) throws InterruptedException {
    assertThat(continued.await(LONG.toSeconds(), TimeUnit.SECONDS)).as("another round").isTrue();
    assertThat(loop.hasDied()).isFalse();
  }

  @Test
  void an_exception_is_reported_and_does_not_end_the_loop() throws InterruptedException {
    var failure = new IllegalStateException("a bug");
    assertContinues(
        failingOnce(
            () -> {
              throw failure;
            },
            observer));
    assertThat(failures).containsExactly(failure);
  }

  @Test
  void an_error_is_reported_and_does_not_end_the_loop() throws InterruptedException {
    var failure = new OutOfMemoryError("for one round");
    assertContinues(
        failingOnce(
            () -> {
              throw failure;
            },
            observer));
    assertThat(failures).containsExactly(failure);
  }

  @Test
  void pauses_grow_with_consecutive_failures_up_to_a_maximum() {
    var pauses = new Loop.Pauses(Duration.ofMillis(500), Duration.ofSeconds(5));

    assertThat(IntStream.of(1, 2, 3, 4, 5, 1_000_000).mapToObj(pauses::after))
        .extracting(Duration::toMillis)
        .containsExactly(500L, 1_000L, 2_000L, 4_000L, 5_000L, 5_000L);
  }

  @Test
  void a_successful_round_resets_the_pauses() throws InterruptedException {
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
              continued.countDown();
              return LONG;
            },
            new Loop.Pauses(Duration.ofMillis(200), LONG),
            observer);
    started.add(loop);
    loop.start();

    assertContinues(loop);
    // After the third failure 800 ms, after the one that follows a success 200 ms again.
    assertThat(begins.get(3) - begins.get(2)).isGreaterThan(Duration.ofMillis(700).toNanos());
    assertThat(begins.get(5) - begins.get(4)).isLessThan(begins.get(3) - begins.get(2));
  }

  @Test
  void a_failure_to_report_does_not_end_the_loop() throws InterruptedException {
    assertContinues(
        failingOnce(
            () -> {
              throw new OutOfMemoryError("for one round");
            },
            observation -> {
              if (observation instanceof OperationObservation.RoundFailed) {
                throw new OutOfMemoryError("for the log line");
              }
            }));
  }

  @Test
  void an_unexpected_interrupt_does_not_end_the_loop() throws InterruptedException {
    assertContinues(failingOnce(() -> Thread.currentThread().interrupt(), observer));
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
    assertContinues(loop);

    loop.stop();

    assertThat(loop.awaitEnd(LONG)).isTrue();
    assertThat(loop.hasDied()).isFalse();
  }

  @Test
  void a_loop_whose_thread_has_ended_is_reported_as_dead() throws InterruptedException {
    var dead = loopWithoutThread();
    dead.start();
    dead.awaitEnd(LONG);

    assertThat(dead.hasDied()).isTrue();
    var work =
        new WorkInLoops(observer) {
          @Override
          protected List<Loop> loops() {
            return List.of(loopWithoutThread(), loop("alive", () -> LONG));
          }
        };
    work.start();
    try {
      awaitDead(work);
      assertThat(work.dead()).containsExactly("lost");
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
