package io.firstcome.devservices.launcher;

import io.firstcome.devservices.launcher.terminal.Terminal;
import java.util.concurrent.CountDownLatch;

/**
 * The orderly shutdown on Ctrl-C and SIGTERM: the JVM runs a hook and then exits with 130 or 143.
 * In the meantime calls of the main thread to the stopped servers fail, which is not reported.
 */
final class Shutdown {

  private Shutdown() {}

  static void stopsOnSignal(Stack stack, Terminal terminal, Runnable after) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    if (!stack.isClosing()) {
                      terminal.line("Stopping…");
                    }
                    stack.close();
                  } finally {
                    after.run();
                  }
                },
                "firstcome-stop"));
  }

  /** Blocks the main thread until the JVM exits. */
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
