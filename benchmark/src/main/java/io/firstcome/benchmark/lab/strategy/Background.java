package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.time.Duration;

/** A thread that repeats a task until it is closed; a failed round is retried. */
public final class Background implements AutoCloseable {

  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(200);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);

  /** One round of the task, which waits by itself if there is no work. */
  public interface Round {
    /** Runs once. */
    void run() throws SQLException, InterruptedException;
  }

  private final Thread thread;
  private volatile boolean stopped;

  /** Starts the thread. */
  public Background(String name, Round round) {
    thread = Thread.ofPlatform().name(name).daemon().start(() -> run(round));
  }

  private void run(Round round) {
    try {
      while (!stopped) {
        try {
          round.run();
        } catch (SQLException | RuntimeException e) {
          Thread.sleep(PAUSE_AFTER_FAILURE);
        }
      }
    } catch (InterruptedException e) {
      // Only close() interrupts, and the thread ends here.
    }
  }

  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
    try {
      var _ = thread.join(STOP_WITHIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
