package io.firstcome.bootstrap.load;

import com.netflix.concurrency.limits.Limiter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The requests that wait until a limiter admits them. Requesters have turns, and in each turn one
 * request is admitted: the first to arrive of those that wait. So one who sends many delays the
 * others by one request, not by all of them. The blocking limiters of the limiter's library admit
 * the latest first, or wake all that wait each time.
 */
final class AdmissionQueue {

  private final Limiter<Void> limiter;
  private final Duration longest;
  private final Lock lock = new ReentrantLock();

  /** By requester, in the order of their turns; those of one by the number of their arrival. */
  private final SequencedMap<Object, SequencedMap<Long, CompletableFuture<Limiter.Listener>>>
      waiting = new LinkedHashMap<>();

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

  /**
   * As {@link #acquireAtOnce}, but waits; empty after the longest time.
   *
   * @param requester whose turn is used
   */
  Optional<Permit> acquire(Object requester) {
    var admission = new CompletableFuture<Limiter.Listener>();
    long number;
    lock.lock();
    try {
      number = arrivals++;
      waiting.computeIfAbsent(requester, _ -> new LinkedHashMap<>()).put(number, admission);
      admit();
    } finally {
      lock.unlock();
    }
    return await(admission, requester, number).map(this::permit);
  }

  private Permit permit(Limiter.Listener listener) {
    return new Permit(() -> {
      listener.onSuccess();
      admit();
    });
  }

  private Optional<Limiter.Listener> await(
      CompletableFuture<Limiter.Listener> admission, Object requester, long number) {
    try {
      return Optional.of(admission.get(longest.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return leave(admission, requester, number);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return leave(admission, requester, number);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends the wait. Returns with what it was admitted meanwhile, if it was. */
  private Optional<Limiter.Listener> leave(
      CompletableFuture<Limiter.Listener> admission, Object requester, long number) {
    lock.lock();
    try {
      waiting.computeIfPresent(
          requester,
          (_, requests) -> {
            requests.remove(number);
            return requests.isEmpty() ? null : requests;
          });
      return Optional.ofNullable(admission.getNow(null));
    } finally {
      lock.unlock();
    }
  }

  /** Admits as many as the limiter allows. */
  private void admit() {
    lock.lock();
    try {
      while (!waiting.isEmpty()) {
        var admitted = limiter.acquire(null);
        if (admitted.isEmpty()) {
          return;
        }
        next().complete(admitted.get());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes a request of the requester whose turn it is; its next turn is after all others'. */
  private CompletableFuture<Limiter.Listener> next() {
    var turn = Objects.requireNonNull(waiting.pollFirstEntry());
    var requests = turn.getValue();
    var first = Objects.requireNonNull(requests.pollFirstEntry()).getValue();
    if (!requests.isEmpty()) {
      waiting.putLast(turn.getKey(), requests);
    }
    return first;
  }
}
