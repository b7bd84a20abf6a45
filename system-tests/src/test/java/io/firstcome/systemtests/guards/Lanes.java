package io.firstcome.systemtests.guards;

import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/** As many lanes as run side by side. */
final class Lanes implements AutoCloseable {

  /** A scenario has about ten processes; more at once would make healthy ones too slow. */
  static final int COUNT = 2;

  private final BlockingQueue<Lane> free = new LinkedBlockingQueue<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(COUNT);

  Lanes(Path folder, Function<Path, Lane> maker) {
    for (int i = 1; i <= COUNT; i++) {
      free.add(maker.apply(folder.resolve("lane-" + i)));
    }
  }

  /** Work that needs a lane. */
  interface Work<T> {
    T in(Lane lane) throws InterruptedException;
  }

  /** Does the work when a lane is free, after all that was submitted before. */
  <T> Future<T> submit(Work<T> work) {
    return threads.submit(() -> {
      var lane = free.take();
      try {
        return work.in(lane);
      } finally {
        free.add(lane);
      }
    });
  }

  /** Ends what still runs. */
  @Override
  public void close() {
    threads.shutdownNow();
    threads.close();
    free.forEach(Lane::close);
  }
}
