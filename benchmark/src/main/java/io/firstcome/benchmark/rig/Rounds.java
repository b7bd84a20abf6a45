package io.firstcome.benchmark.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Work that is done again and again on threads of its own until it is stopped. A round that fails
 * is tried again after a pause: servers are killed under the rig, and come back.
 */
final class Rounds {

  /** One round, which waits by itself where there is nothing to do. */
  interface Round {
    void run() throws InterruptedException;
  }

  private final RigLimits limits;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  Rounds(RigLimits limits) {
    this.limits = limits;
  }

  /** Begins to do it, on a platform thread: the callers' virtual threads must not hold it up. */
  void start(String name, Round round) {
    threads.add(Thread.ofPlatform().name(name).daemon().start(() -> run(round)));
  }

  private void run(Round round) {
    try {
      while (!stopped) {
        runOnce(round);
      }
    } catch (InterruptedException e) {
      // Only stop() interrupts, and the thread ends here.
    }
  }

  private void runOnce(Round round) throws InterruptedException {
    try {
      round.run();
    } catch (RuntimeException e) {
      Thread.sleep(limits.pauseAfterFailure());
    }
  }

  /** Ends all of it within a bounded time. */
  void stop() {
    stopped = true;
    threads.forEach(Thread::interrupt);
    long end = System.nanoTime() + limits.stopWithin().toNanos();
    try {
      for (var thread : threads) {
        var _ = thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
