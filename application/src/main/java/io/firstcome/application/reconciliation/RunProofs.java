package io.firstcome.application.reconciliation;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs the proofs that operators request. A large coupon takes longer than a caller can wait, so a
 * caller gets the progress and polls. All callers for the same coupon share one comparison. The
 * number of comparisons at a time is limited, and each operator starts one at a time, so that one
 * operator with several large coupons does not keep others from a proof.
 *
 * <p>A finished proof is returned to all waiting callers. It is kept for a short time only if
 * callers got its progress, and for no more calls than those.
 */
public final class RunProofs {

  private final ProveExactness proveExactness;
  private final Executor executor;
  private final InstantSource clock;
  private final ComparisonLimits limits;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<CouponId, Run> runs = new HashMap<>();
  private boolean stopped;

  /**
   * @param executor runs comparisons, which block
   */
  public RunProofs(
      ProveExactness proveExactness,
      Executor executor,
      InstantSource clock,
      ComparisonLimits limits) {
    this.proveExactness = proveExactness;
    this.executor = executor;
    this.clock = clock;
    this.limits = limits;
  }

  /** The phases of a comparison, in this order. */
  public enum Phase {
    /** The rows of the database against the marks of the ledger. */
    ROWS,
    /** The marks of the ledger against the rows. */
    LEDGER,
    /** The entries of the hand-off log. */
    LOG,
    /** The users without a row, once more. */
    UNRECORDED
  }

  /**
   * The progress of a comparison.
   *
   * @param compared items in this phase
   * @param expected approximate number of items in it
   */
  public record Progress(Phase phase, long compared, long expected) {}

  /** The answer to a caller. */
  public sealed interface Answer {

    /** The proof. */
    record Done(ExactnessProof proof) implements Answer {}

    /** The comparison is running; the caller may poll. */
    record UnderWay(Progress progress, Instant begunAt) implements Answer {}

    /** There is no such coupon. */
    record UnknownCoupon() implements Answer {}

    /**
     * A proof of another coupon that the operator has started is running, or too many of others
     * are, or this instance is stopping.
     */
    record NotNow() implements Answer {}
  }

  /** One comparison and its outcome. */
  private static final class Run {
    private final ComparisonProgress progress = new ComparisonProgress(() -> {});
    private final CompletableFuture<Optional<ExactnessProof>> outcome = new CompletableFuture<>();
    private final Optional<UserId> operator;
    private final Instant begunAt;

    /** Callers that got the progress and have not polled again. Guarded by the lock. */
    private int awaited;

    /** Guarded by the lock. */
    private @Nullable Long endedNanos;

    Run(Optional<UserId> operator, Instant begunAt) {
      this.operator = operator;
      this.begunAt = begunAt;
    }
  }

  /**
   * Joins the running comparison of the coupon, or starts one, and waits for its end.
   *
   * @param operator who asks; empty if unknown, and all of those count as one
   * @param atMost how long to wait
   * @throws io.firstcome.domain.port.ServerUnavailableException if a server is not reachable
   * @throws InterruptedException if the thread was interrupted; the comparison continues
   */
  public Answer prove(CouponId couponId, Optional<UserId> operator, Duration atMost)
      throws InterruptedException {
    var run = join(couponId, operator);
    if (run == null) {
      return new Answer.NotNow();
    }
    try {
      return answer(run.outcome.get(atMost.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return underWay(run);
    } catch (CancellationException e) {
      return new Answer.NotNow();
    } catch (ExecutionException e) {
      return failed(e);
    }
  }

  private static Answer answer(Optional<ExactnessProof> proof) {
    return proof.<Answer>map(Answer.Done::new).orElseGet(Answer.UnknownCoupon::new);
  }

  private static Answer failed(ExecutionException e) {
    return switch (e.getCause()) {
      case CancellationException _ -> new Answer.NotNow();
      case RuntimeException failure -> throw failure;
      case null, default -> throw new IllegalStateException("a proof failed", e);
    };
  }

  private @Nullable Run join(CouponId couponId, Optional<UserId> operator) {
    Run started;
    lock.lock();
    try {
      forgetEnded();
      var known = runs.get(couponId);
      if (known != null) {
        known.awaited = Math.max(0, known.awaited - 1);
        return known;
      }
      if (stopped || !canStart(operator)) {
        return null;
      }
      started = new Run(operator, clock.instant());
      runs.put(couponId, started);
    } finally {
      lock.unlock();
    }
    start(couponId, started);
    return started;
  }

  private boolean canStart(Optional<UserId> operator) {
    var underWay = runs.values().stream().filter(run -> run.endedNanos == null).toList();
    return underWay.size() < limits.concurrentProofs()
        && underWay.stream().noneMatch(run -> run.operator.equals(operator));
  }

  /** Removes finished proofs that no caller can get any more. */
  private void forgetEnded() {
    long now = System.nanoTime();
    runs.values()
        .removeIf(run ->
            run.endedNanos != null
                && (run.awaited == 0 || now - run.endedNanos > limits.proofKept().toNanos()));
  }

  private void start(CouponId couponId, Run run) {
    try {
      executor.execute(() -> compare(couponId, run));
    } catch (RejectedExecutionException e) {
      end(couponId, run, false);
      run.outcome.cancel(false);
    }
  }

  private void compare(CouponId couponId, Run run) {
    try {
      var proof = proveExactness.prove(couponId, run.progress);
      end(couponId, run, true);
      run.outcome.complete(proof);
    } catch (RuntimeException | Error e) {
      // Also an Error, such as an OutOfMemoryError: callers wait for an outcome.
      end(couponId, run, false);
      run.outcome.completeExceptionally(e);
    }
  }

  /**
   * To be called before the outcome is completed: a caller that has it and calls again gets a new
   * run.
   */
  private void end(CouponId couponId, Run run, boolean hasProof) {
    lock.lock();
    try {
      run.endedNanos = System.nanoTime();
      if (!hasProof || run.awaited == 0) {
        runs.remove(couponId, run);
      }
    } finally {
      lock.unlock();
    }
  }

  private Answer underWay(Run run) {
    lock.lock();
    try {
      if (run.endedNanos == null) {
        run.awaited++;
      }
    } finally {
      lock.unlock();
    }
    return new Answer.UnderWay(run.progress.now(), run.begunAt);
  }

  /** Stops all running comparisons and answers their callers. No further one starts. */
  public void stop() {
    lock.lock();
    try {
      stopped = true;
      runs.values()
          .forEach(run -> {
            run.progress.stop();
            run.outcome.cancel(false);
          });
      runs.clear();
    } finally {
      lock.unlock();
    }
  }
}
