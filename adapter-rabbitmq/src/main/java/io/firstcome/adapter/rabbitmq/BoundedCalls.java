package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.port.BrokerUnavailableException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Calls to the broker with a timeout. The client itself can hang: a blocked broker stops reading,
 * and then a write has no timeout. So each call runs on a separate thread, which is abandoned after
 * the timeout and releases its permit when the call ends.
 */
final class BoundedCalls {

  private final Semaphore permits;
  private final Duration within;

  BoundedCalls(int concurrent, Duration within) {
    this.permits = new Semaphore(concurrent);
    this.within = within;
  }

  /**
   * Runs the call and returns its result.
   *
   * @param what names the call in exceptions
   * @throws BrokerUnavailableException if it fails, takes too long or the caller is interrupted
   */
  <T extends @Nullable Object> T call(String what, Callable<T> call) {
    long end = System.nanoTime() + within.toNanos();
    try {
      if (!permits.tryAcquire(within.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new BrokerUnavailableException(what + ": too many calls to the broker hang", null);
      }
      var task = new FutureTask<>(call);
      start(task);
      return task.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BrokerUnavailableException(what + ": interrupted", e);
    } catch (TimeoutException e) {
      throw new BrokerUnavailableException(what + ": no reply within " + within, e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw new BrokerUnavailableException(
          what + ": " + (cause == null ? e : cause).getMessage(), cause);
    }
  }

  private void start(FutureTask<?> task) {
    try {
      Thread.ofVirtual().name("broker-call").start(() -> runAndRelease(task));
    } catch (RuntimeException | Error e) {
      permits.release();
      throw e;
    }
  }

  private void runAndRelease(FutureTask<?> task) {
    try {
      task.run();
    } finally {
      permits.release();
    }
  }
}
