package io.firstcome.bootstrap.operation;

import io.firstcome.application.readiness.CheckReadiness;
import io.firstcome.application.readiness.CheckReadiness.Readiness;
import io.firstcome.domain.observation.IssuanceObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Checks the readiness in the background while operators look at it, so that they do not wait for
 * servers that do not reply, and many of them cost as much as one.
 */
@Component
public class ReadinessWatch extends WorkInLoops {

  private static final Duration EVERY = Duration.ofSeconds(2);

  /** How long the checks go on after a request. */
  private static final Duration WANTED = Duration.ofMinutes(1);

  /** An older result is not shown: while a server does not reply, checks can take longer. */
  private static final Duration VALID = Duration.ofSeconds(15);

  private final CheckReadiness checkReadiness;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Long wantedNanos;
  private @Nullable Long checkedNanos;
  private @Nullable Readiness latest;

  ReadinessWatch(CheckReadiness checkReadiness, IssuanceObserver observer) {
    super(observer);
    this.checkReadiness = checkReadiness;
  }

  /**
   * The latest result, which is at most 15 seconds old.
   *
   * @param wait how long to wait if there is none
   * @return empty if there is still none
   */
  public Optional<Readiness> latest(Duration wait) throws InterruptedException {
    lock.lock();
    try {
      wantedNanos = System.nanoTime();
      changed.signalAll();
      long left = wait.toNanos();
      while (left > 0 && !isWithin(checkedNanos, VALID)) {
        left = changed.awaitNanos(left);
      }
      return isWithin(checkedNanos, VALID) ? Optional.ofNullable(latest) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private static boolean isWithin(@Nullable Long since, Duration time) {
    return since != null && System.nanoTime() - since < time.toNanos();
  }

  @Override
  protected List<Loop> loops() {
    return List.of(loop("checking readiness", this::check));
  }

  private Duration check() throws InterruptedException {
    if (!isWanted()) {
      return Duration.ZERO;
    }
    var readiness = checkReadiness.check();
    lock.lock();
    try {
      latest = readiness;
      checkedNanos = System.nanoTime();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    return EVERY;
  }

  /** Whether the result was requested lately; waits for a request for a while. */
  private boolean isWanted() throws InterruptedException {
    lock.lock();
    try {
      long left = EVERY.toNanos();
      while (left > 0 && !isWithin(wantedNanos, WANTED)) {
        left = changed.awaitNanos(left);
      }
      return isWithin(wantedNanos, WANTED);
    } finally {
      lock.unlock();
    }
  }
}
