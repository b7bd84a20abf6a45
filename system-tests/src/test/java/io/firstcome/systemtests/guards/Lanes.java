package io.firstcome.systemtests.guards;

import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/** The lanes that run in parallel. */
final class Lanes implements AutoCloseable {

  /** A scenario has about ten processes; more lanes would slow down tests until they time out. */
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

  /** Runs the work on a free lane, in the order of submission. */
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

  /** Stops running work. */
  @Override
  public void close() {
    threads.shutdownNow();
    threads.close();
    free.forEach(Lane::close);
  }
}
