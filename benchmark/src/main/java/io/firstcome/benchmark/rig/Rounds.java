package io.firstcome.benchmark.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Loops on threads of their own that run until they are stopped. A failed round is retried after a
 * pause, since the servers of a rig may be killed and restarted.
 */
final class Rounds {

  /** One round of a loop, which waits by itself if there is no work. */
  interface Round {
    void run() throws InterruptedException;
  }

  private final RigLimits limits;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  Rounds(RigLimits limits) {
    this.limits = limits;
  }

  /**
   * Starts a loop on a platform thread, so that the virtual threads of the callers cannot delay it.
   */
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

  /** Stops all loops and waits for their threads, within a bounded time. */
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
