package io.firstcome.application;

import io.firstcome.domain.coupon.CouponId;
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
 * Runs the proofs that operators ask for. A large coupon takes longer than a caller can wait, so a
 * caller is answered with the progress and asks again. All who ask for the same coupon share one
 * comparison, and only so many run at a time.
 *
 * <p>A finished proof is given to those who wait for it. It is kept for a short time only if a
 * caller was answered with its progress, and for no more calls than were answered so.
 */
public final class RunProofs {

  private final ProveExactness proveExactness;
  private final Executor executor;
  private final InstantSource clock;
  private final ApplicationLimits limits;
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
      ApplicationLimits limits) {
    this.proveExactness = proveExactness;
    this.executor = executor;
    this.clock = clock;
    this.limits = limits;
  }

  /** What a comparison goes through, in this order. */
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
   * How far a comparison has come.
   *
   * @param compared in this phase
   * @param expected about how many there are in it
   */
  public record Progress(Phase phase, long compared, long expected) {}

  /** The answer to a caller. */
  public sealed interface Answer {

    /** The proof. */
    record Done(ExactnessProof proof) implements Answer {}

    /** The comparison goes on; the caller may ask again. */
    record UnderWay(Progress progress, Instant begunAt) implements Answer {}

    /** There is no such coupon. */
    record UnknownCoupon() implements Answer {}

    /** Too many proofs of other coupons are under way, or this instance stops. */
    record NotNow() implements Answer {}
  }

  /** One comparison and what came of it. */
  private static final class Run {
    private final ComparisonProgress progress = new ComparisonProgress();
    private final CompletableFuture<Optional<ExactnessProof>> outcome = new CompletableFuture<>();
    private final Instant begunAt;

    /**
     * Callers that were answered with the progress and have not asked again. Guarded by the lock.
     */
    private int awaited;

    /** Guarded by the lock. */
    private @Nullable Long endedNanos;

    Run(Instant begunAt) {
      this.begunAt = begunAt;
    }
  }

  /**
   * Joins the comparison of the coupon that is under way, or starts one, and waits for its end.
   *
   * @param atMost how long to wait
   * @throws io.firstcome.domain.port.ServerUnavailableException if a server could not be asked
   * @throws InterruptedException if the thread was interrupted; the comparison goes on
   */
  public Answer prove(CouponId couponId, Duration atMost) throws InterruptedException {
    var run = join(couponId);
    if (run == null) {
      return new Answer.NotNow();
    }
    try {
      return answer(run.outcome.get(atMost.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return mayAskAgain(run);
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

  private @Nullable Run join(CouponId couponId) {
    Run started;
    lock.lock();
    try {
      forgetEnded();
      var known = runs.get(couponId);
      if (known != null) {
        known.awaited = Math.max(0, known.awaited - 1);
        return known;
      }
      long underWay = runs.values().stream().filter(run -> run.endedNanos == null).count();
      if (stopped || underWay >= limits.proofsAtATime()) {
        return null;
      }
      started = new Run(clock.instant());
      runs.put(couponId, started);
    } finally {
      lock.unlock();
    }
    start(couponId, started);
    return started;
  }

  /** Those that are given to no caller any more. */
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
      // Also an Error, such as that of a heap that is too small: callers wait for an end.
      end(couponId, run, false);
      run.outcome.completeExceptionally(e);
    }
  }

  /** Before its outcome is given: a caller who has that and asks again gets a new one. */
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

  private Answer mayAskAgain(Run run) {
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

  /** Ends all that are under way, and answers those who wait. None begins any more. */
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
