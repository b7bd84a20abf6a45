package io.firstcome.application.lane;

import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The waiting requests of one coupon and its calls in flight.
 *
 * <p>At any moment at most one task, the sender, takes requests from the queue and calls the stock;
 * {@code sending} is true while it is queued or running. So calls are made in the order of arrival,
 * without a lock held during a call. A request that arrives or a call that ends starts the sender.
 * As both decide under the lock, no wake-up is lost.
 *
 * <p>Requests of a call that must be repeated are put back before all that arrived later. As others
 * of the calls in flight may have to be repeated too, the next call is made when all have ended.
 * Whether a call has pseudonyms is decided when it gets its number, so no later call has them
 * earlier.
 *
 * @param <O> the outcome of a request
 */
final class Lane<O> {

  private static final String ROUND = "sending grouped requests";

  private final LaneCalls<O> calls;
  private final LaneLimits limits;
  private final Executor executor;
  private final IssuanceObserver observer;

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Waiter<O>> waiting = new ArrayDeque<>();

  /** The groups of calls that must be repeated, by the order of the calls. */
  private final TreeMap<Long, List<Waiter<O>>> toRepeat = new TreeMap<>();

  /** Whether calls have pseudonyms, since the stock has asked for them. */
  private boolean withPseudonyms;

  private long lastCall;
  private int callsInFlight;
  private boolean sending;
  private boolean closed;

  Lane(LaneCalls<O> calls, LaneLimits limits, Executor executor, IssuanceObserver observer) {
    this.calls = calls;
    this.limits = limits;
    this.executor = executor;
    this.observer = observer;
  }

  /** A waiting request, its arrival, and its outcome. */
  private record Waiter<T>(UserId user, long sinceNanos, CompletableFuture<T> outcome) {

    Waiter(UserId user) {
      this(user, System.nanoTime(), new CompletableFuture<>());
    }

    boolean waitsLongerThan(Duration time, long nowNanos) {
      return nowNanos - sinceNanos > time.toNanos();
    }
  }

  /** Null if the lane is closed: the request needs another one. */
  @Nullable CompletableFuture<O> add(UserId user) {
    var waiter = new Waiter<O>(user);
    boolean start;
    lock.lock();
    try {
      if (closed) {
        return null;
      }
      if (waiting.size() >= limits.waitingPerCoupon()) {
        waiter.outcome().complete(calls.busy());
        return waiter.outcome();
      }
      waiting.add(waiter);
      start = becomesSender();
    } finally {
      lock.unlock();
    }
    if (start) {
      startSender();
    }
    return waiter.outcome();
  }

  /** Closes the lane for good if no request is in it, neither waiting nor in a call. */
  boolean closeIfIdle() {
    lock.lock();
    try {
      closed = waiting.isEmpty() && toRepeat.isEmpty() && callsInFlight == 0 && !sending;
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a call should be sent now and there is no sender. The caller then must start one. */
  private boolean becomesSender() {
    boolean becomes = !sending && shouldSendCall();
    sending |= becomes;
    return becomes;
  }

  private boolean shouldSendCall() {
    return switch (callsInFlight) {
      case 0 -> !waiting.isEmpty() || !toRepeat.isEmpty();
      default ->
          toRepeat.isEmpty()
              && callsInFlight < calls.maxInFlight()
              && waiting.size() >= limits.claimsForFurtherCall();
    };
  }

  private void startSender() {
    try {
      executor.execute(this::send);
    } catch (RejectedExecutionException e) {
      refuseAllWaiting();
    } catch (RuntimeException | Error e) {
      observer.observe(new OperationObservation.RoundFailed(ROUND, e));
      refuseAllWaiting();
    }
  }

  /** Whatever is thrown here, another sender can start afterwards, and each request is answered. */
  private void send() {
    var group = new ArrayList<Waiter<O>>();
    var late = new ArrayList<Waiter<O>>();
    try {
      takeGroup(group, late);
      if (!group.isEmpty()) {
        call(group);
      }
    } catch (RuntimeException | Error e) {
      observer.observe(new OperationObservation.RoundFailed(ROUND, e));
      group.forEach(waiter -> waiter.outcome().completeExceptionally(unavailable(e)));
      refuseAllWaiting();
    }
    late.forEach(waiter -> waiter.outcome().complete(calls.busy()));
    continueOrStop();
  }

  /** A request leaves the queue after it was added to one of the lists, so that none is lost. */
  private void takeGroup(List<Waiter<O>> group, List<Waiter<O>> late) {
    lock.lock();
    try {
      putBack();
      long now = System.nanoTime();
      int max = calls.maxPerCall();
      while (group.size() < max && !waiting.isEmpty()) {
        var waiter = waiting.element();
        (waiter.waitsLongerThan(limits.waitingTime(), now) ? late : group).add(waiter);
        waiting.remove();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Puts the requests of calls that must be repeated before all others, in their order. */
  private void putBack() {
    for (var group : toRepeat.descendingMap().values()) {
      group.reversed().forEach(waiting::addFirst);
    }
    toRepeat.clear();
  }

  /** Runs only after the call was made, so that the next one cannot overtake it. */
  private void continueOrStop() {
    boolean again;
    lock.lock();
    try {
      sending = false;
      again = becomesSender();
    } finally {
      lock.unlock();
    }
    if (again) {
      startSender();
    }
  }

  /** The place of a call in the order of all calls. */
  private record CallNumber(long number, boolean withPseudonyms) {}

  private void call(List<Waiter<O>> group) {
    long started = System.nanoTime();
    var number = countCall();
    var bounded = new CompletableFuture<List<O>>();
    var _ =
        bounded
            .orTimeout(limits.callTime().plus(limits.answerTime()).toNanos(), TimeUnit.NANOSECONDS)
            .whenComplete((outcomes, failure) -> ended(group, number, started, outcomes, failure));
    try {
      calls
          .send(users(group), number.withPseudonyms(), limits.callTime())
          .whenComplete((outcomes, failure) -> {
            if (failure == null) {
              bounded.complete(outcomes);
            } else {
              bounded.completeExceptionally(failure);
            }
          });
    } catch (RuntimeException | Error e) {
      bounded.completeExceptionally(e);
    }
  }

  private static <T> List<UserId> users(List<Waiter<T>> group) {
    return group.stream().map(Waiter::user).toList();
  }

  private CallNumber countCall() {
    lock.lock();
    try {
      callsInFlight++;
      return new CallNumber(++lastCall, withPseudonyms);
    } finally {
      lock.unlock();
    }
  }

  private void ended(
      List<Waiter<O>> group,
      CallNumber number,
      long startedNanos,
      @Nullable List<O> outcomes,
      @Nullable Throwable failure) {
    boolean isRepeated = outcomes != null && outcomes.contains(calls.repeat());
    boolean start;
    lock.lock();
    try {
      callsInFlight--;
      if (isRepeated) {
        toRepeat.put(number.number(), group);
        withPseudonyms = true;
      }
      start = becomesSender();
    } finally {
      lock.unlock();
    }
    if (start) {
      startSender();
    }
    if (isRepeated) {
      return;
    }
    List<O> answered;
    if (outcomes != null && outcomes.size() == group.size()) {
      answered = outcomes;
      for (int i = 0; i < group.size(); i++) {
        group.get(i).outcome().complete(outcomes.get(i));
      }
    } else {
      answered = List.of();
      var unavailable = unavailable(failure);
      group.forEach(waiter -> waiter.outcome().completeExceptionally(unavailable));
    }
    calls.ended(users(group), answered, Duration.ofNanos(System.nanoTime() - startedNanos));
  }

  /** A failure of any other type may have had an effect. */
  private static StockUnavailableException unavailable(@Nullable Throwable failure) {
    return switch (failure) {
      case StockUnavailableException known -> known;
      case CompletionException wrapped
          when wrapped.getCause() instanceof StockUnavailableException e ->
          e;
      case TimeoutException e ->
          new StockUnavailableException(Effect.UNKNOWN, "the stock did not answer in time", e);
      case null ->
          new StockUnavailableException(
              Effect.UNKNOWN, "the stock did not answer each request of the call", null);
      default -> new StockUnavailableException(Effect.UNKNOWN, "the stock call failed", failure);
    };
  }

  private void refuseAllWaiting() {
    List<Waiter<O>> refused;
    lock.lock();
    try {
      sending = false;
      putBack();
      refused = List.copyOf(waiting);
      waiting.clear();
    } finally {
      lock.unlock();
    }
    refused.forEach(waiter -> waiter.outcome().complete(calls.busy()));
  }
}
