package io.firstcome.bootstrap.load;

import com.netflix.concurrency.limits.Limiter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The requests that wait until a limiter admits them, in the order of their arrival. The blocking
 * limiters of the limiter's library admit the latest first, or wake all that wait each time.
 */
final class AdmissionQueue {

  private final Limiter<Void> limiter;
  private final Duration longest;
  private final Lock lock = new ReentrantLock();

  /** By the number of their arrival, in this order. */
  private final SequencedMap<Long, CompletableFuture<Limiter.Listener>> waiting =
      new LinkedHashMap<>();

  private long arrivals;

  /**
   * A queue before this limiter.
   *
   * @param longest how long a request waits
   */
  AdmissionQueue(Limiter<Void> limiter, Duration longest) {
    this.limiter = limiter;
    this.longest = longest;
  }

  /** The permit to handle a request, or empty if it would have to wait. */
  Optional<Permit> acquireAtOnce() {
    lock.lock();
    try {
      return waiting.isEmpty() ? limiter.acquire(null).map(this::permit) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #acquireAtOnce}, but waits; empty after the longest time. */
  Optional<Permit> acquire() {
    var admission = new CompletableFuture<Limiter.Listener>();
    long number;
    lock.lock();
    try {
      number = arrivals++;
      waiting.put(number, admission);
      admit();
    } finally {
      lock.unlock();
    }
    return await(admission, number).map(this::permit);
  }

  private Permit permit(Limiter.Listener listener) {
    return new Permit(() -> {
      listener.onSuccess();
      admit();
    });
  }

  private Optional<Limiter.Listener> await(
      CompletableFuture<Limiter.Listener> admission, long number) {
    try {
      return Optional.of(admission.get(longest.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return leave(admission, number);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return leave(admission, number);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends the wait. Returns with what it was admitted meanwhile, if it was. */
  private Optional<Limiter.Listener> leave(
      CompletableFuture<Limiter.Listener> admission, long number) {
    lock.lock();
    try {
      waiting.remove(number);
      return Optional.ofNullable(admission.getNow(null));
    } finally {
      lock.unlock();
    }
  }

  /** Admits as many as the limiter allows. */
  private void admit() {
    lock.lock();
    try {
      for (var next = waiting.values().iterator(); next.hasNext(); next.remove()) {
        var admitted = limiter.acquire(null);
        if (admitted.isEmpty()) {
          return;
        }
        next.next().complete(admitted.get());
      }
    } finally {
      lock.unlock();
    }
  }
}
