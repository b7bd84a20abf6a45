package io.firstcome.bootstrap.load;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls that are made one at a time. Of each caller one waits for the calls of others at a time, so
 * that many calls of one caller do not delay those of others; and few wait at all, since a request
 * that waits may keep its permit.
 */
public final class CallerTurns {

  private static final int MOST_OF_CALLER = 8;
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final Duration longestWait;
  private final ReentrantLock turn = new ReentrantLock(true);
  private final ConcurrentHashMap<Optional<UserId>, Queue> ofCallers = new ConcurrentHashMap<>();

  /**
   * @param longestWait of a call for earlier ones
   */
  public CallerTurns(Duration longestWait) {
    this.longestWait = longestWait;
  }

  /** The calls of one caller, each of which holds its lock when it is the next one. */
  private static final class Queue {

    private final ReentrantLock next = new ReentrantLock(true);

    /** Changed while the entry of the map is locked. */
    private int length;
  }

  /**
   * Waits for earlier ones, calls, and returns the result. It can be called within another one.
   *
   * @param user null if the caller names none
   * @throws Problem {@code overloaded}, if earlier ones take longer than the longest wait, or eight
   *     calls of that caller have not ended
   */
  public <T> T call(@Nullable UserId user, Supplier<T> call) {
    if (turn.isHeldByCurrentThread()) {
      return call.get();
    }
    long end = System.nanoTime() + longestWait.toNanos();
    var caller = Optional.ofNullable(user);
    var queue = ofCallers.compute(caller, (_, known) -> longer(known));
    try {
      return whileHeld(queue.next, end, () -> whileHeld(turn, end, call));
    } finally {
      ofCallers.computeIfPresent(caller, (_, known) -> shorter(known));
    }
  }

  private static Queue longer(@Nullable Queue known) {
    var queue = known == null ? new Queue() : known;
    if (queue.length == MOST_OF_CALLER) {
      throw Problem.overloaded(RETRY);
    }
    queue.length++;
    return queue;
  }

  private static @Nullable Queue shorter(Queue queue) {
    queue.length--;
    return queue.length == 0 ? null : queue;
  }

  private static <T> T whileHeld(ReentrantLock lock, long end, Supplier<T> call) {
    try {
      if (!lock.tryLock(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        throw Problem.overloaded(RETRY);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Problem.overloaded(RETRY);
    }
    try {
      return call.get();
    } finally {
      lock.unlock();
    }
  }
}
