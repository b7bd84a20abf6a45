package io.firstcome.bootstrap.rest.rehearsal;

import io.firstcome.bootstrap.problem.Problem;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Calls that need a processor for long: one at a time, each followed by a pause three times as
 * long, so that any number of callers takes at most a quarter of a processor from claims.
 */
final class PacedCalls {

  private static final int PAUSE_FACTOR = 3;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final ReentrantLock lock = new ReentrantLock();
  private long pauseEnd = System.nanoTime();

  /**
   * Waits until it can call, calls, and returns the result.
   *
   * @throws Problem {@code overloaded}, if other callers were first for two seconds
   */
  <T> T call(Supplier<T> call) {
    try {
      if (!lock.tryLock(LONGEST_WAIT.toNanos(), TimeUnit.NANOSECONDS)) {
        throw Problem.overloaded(RETRY);
      }
      try {
        return afterPause(call);
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Problem.overloaded(RETRY);
    }
  }

  private <T> T afterPause(Supplier<T> call) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(pauseEnd - System.nanoTime());
    long begin = System.nanoTime();
    try {
      return call.get();
    } finally {
      long end = System.nanoTime();
      pauseEnd = end + PAUSE_FACTOR * (end - begin);
    }
  }
}
