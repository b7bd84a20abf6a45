package io.firstcome.contracts;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * The same call by many threads, for tests of calls that wait for a result of another one.
 *
 * @param <T> the result
 */
public final class ConcurrentCalls<T> {

  /** A caller has ended already only if it did not share the result. */
  private static final Set<Thread.State> WAITS_OR_ENDED =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED);

  private final List<FutureTask<T>> calls = new ArrayList<>();
  private final List<Thread> callers = new ArrayList<>();

  public ConcurrentCalls(int number, Callable<T> call) {
    for (int i = 0; i < number; i++) {
      var task = new FutureTask<>(call);
      calls.add(task);
      callers.add(Thread.ofVirtual().unstarted(task));
    }
  }

  /** Starts the calls and returns their results when all have ended. */
  public List<? extends Future<T>> results() throws InterruptedException {
    callers.forEach(Thread::start);
    for (var caller : callers) {
      caller.join();
    }
    return calls;
  }

  /**
   * Called within one of the calls: returns when all others wait, or have ended. Without this, a
   * caller that has started but not called yet could come after the result, and rightly ask again.
   */
  public void awaitOthers() {
    try {
      for (var caller : callers) {
        while (!caller.equals(Thread.currentThread())
            && !WAITS_OR_ENDED.contains(caller.getState())) {
          Thread.sleep(1);
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("unexpected interrupt of a test", e);
    }
  }
}
