package io.firstcome.bootstrap.rest.rehearsal;

import io.firstcome.bootstrap.load.CallerTurns;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls that need a processor for long: in {@link CallerTurns}, each followed by a pause three
 * times as long, so that any number of callers takes at most a quarter of a processor from claims.
 * They run on a platform thread: a virtual one would keep all others from the processor it has
 * until it ends, and with one processor those are all claims.
 */
final class PacedCalls {

  private static final int PAUSE_FACTOR = 3;
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final Duration longestWait;
  private final CallerTurns turns;
  private long pauseEnd = System.nanoTime();

  /**
   * @param longestWait for earlier calls, and for the end of the pause after them
   */
  PacedCalls(Duration longestWait) {
    this.longestWait = longestWait;
    this.turns = new CallerTurns(longestWait);
  }

  /**
   * Waits until it can call, calls, and returns the result.
   *
   * @param user null if the caller names none
   * @throws Problem {@code overloaded}, as {@link CallerTurns} does, or if the pause of the last
   *     call lasts longer than that
   */
  <T> T call(@Nullable UserId user, Supplier<T> call) {
    return turns.call(user, () -> afterPause(call));
  }

  private <T> T afterPause(Supplier<T> call) {
    long pause = pauseEnd - System.nanoTime();
    if (pause > longestWait.toNanos()) {
      throw Problem.overloaded(RETRY);
    }
    try {
      TimeUnit.NANOSECONDS.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Problem.overloaded(RETRY);
    }
    long begin = System.nanoTime();
    try {
      return onPlatformThread(call);
    } finally {
      long end = System.nanoTime();
      pauseEnd = end + PAUSE_FACTOR * (end - begin);
    }
  }

  private static <T> T onPlatformThread(Supplier<T> call) {
    var task = new FutureTask<>(call::get);
    Thread.ofPlatform().daemon().name("paced-call").start(task);
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Problem.overloaded(RETRY);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the call failed", e.getCause());
    }
  }
}
