package io.firstcome.devservices.launcher;

import java.util.concurrent.CountDownLatch;

/**
 * The orderly end on Ctrl-C and SIGTERM. The JVM then runs this hook and exits by itself with 130
 * or 143; the main thread meanwhile sees its servers vanish, which is no error to tell.
 */
final class Shutdown {

  private Shutdown() {}

  static void stopsOnSignal(Stack stack, Runnable after) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    stack.close();
                  } finally {
                    after.run();
                  }
                },
                "firstcome-stop"));
  }

  /** Never returns: for a main thread whose JVM is about to exit. */
  static void awaitExit() {
    boolean interrupted = false;
    while (true) {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        interrupted = true;
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
