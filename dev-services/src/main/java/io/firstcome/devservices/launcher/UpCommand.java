package io.firstcome.devservices.launcher;

import io.firstcome.devservices.launcher.terminal.LauncherException;
import io.firstcome.devservices.launcher.terminal.Terminal;
import io.firstcome.devservices.launcher.terminal.Units;
import io.firstcome.devservices.process.FolderLock;
import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.devservices.service.ServiceSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** {@code ./firstcome up}: keeps the service running until a signal. */
final class UpCommand {

  private static final Duration WATCH_INTERVAL = Duration.ofMillis(250);

  private final Home home;
  private final Terminal terminal;

  /** Held during a restart, so that the stopped part is not reported as ended. */
  private final ReentrantLock restarting = new ReentrantLock();

  UpCommand(Home home, Terminal terminal) {
    this.home = home;
    this.terminal = terminal;
  }

  /** Does not return, except by an exception: a signal ends the JVM. */
  void run(int port, boolean fresh) {
    long from = System.nanoTime();
    // Held until the JVM exits, or until this method fails.
    FolderLock lock = home.lock();
    // A service that a killed run left behind may still hold the port.
    ServiceProcess.endLeftOver(home.folder());
    if (!Ports.isFree(port)) {
      lock.close();
      throw new LauncherException(
          "port %d is in use: stop the program that listens on it, or set another with --port"
              .formatted(port));
    }
    if (fresh) {
      home.forget();
    }
    terminal.line("Firstcome: starting, with data in " + home.folder());
    try (Stack stack = new Stack(home, terminal)) {
      Shutdown.stopsOnSignal(stack, terminal, this::removeFiles);
      try {
        runUntilSignal(stack, port, from);
      } catch (RuntimeException e) {
        if (stack.isClosing()) {
          Shutdown.awaitExit();
        }
        throw e;
      }
    } finally {
      lock.close();
    }
  }

  private void runUntilSignal(Stack stack, int port, long from) {
    Stack.Running all = stack.launch(port);
    // Written before the service is ready: readers expect the file from then on.
    PrivateFile.write(home.servicesFile(), ServicesFile.json(all));
    stack.awaitReady();
    AdminClient.define(
        all.service().url(), DefinitionBody.sample(home.sampleCouponFile(), Instant.now()));
    try (ControlServer control =
        ControlServer.start((part, ending) -> restart(stack, all, part, ending))) {
      control.announce(home);
      terminal.line("  service   %s".formatted(all.service().url()));
      terminal.line("  API page  %s/actuator/apipage".formatted(all.service().managementUrl()));
      terminal.line(
          "  console   %s/console (user operator, password %s)"
              .formatted(all.service().url(), ServiceSettings.CONSOLE_PASSWORD));
      terminal.line("Ready in %s. Stop with Ctrl-C.".formatted(Units.since(from)));
      terminal.line("");
      terminal.line(NextSteps.text(all.service().url()));
      watch(stack);
    }
  }

  private String restart(Stack stack, Stack.Running all, Part part, Ending ending) {
    restarting.lock();
    try {
      long from = System.nanoTime();
      long pid = stack.restart(part, ending);
      PrivateFile.write(home.servicesFile(), ServicesFile.json(all));
      stack.awaitReady();
      String line =
          "%s %s in %s (pid %d)".formatted(part.label(), ending.done(), Units.since(from), pid);
      terminal.line(line);
      return line;
    } finally {
      restarting.unlock();
    }
  }

  /** Reports each part that has ended by itself, once; does not restart it. */
  private void watch(Stack stack) {
    Set<Part> reported = EnumSet.noneOf(Part.class);
    while (!stack.isClosing()) {
      if (restarting.tryLock()) {
        try {
          for (Part part : Part.values()) {
            if (stack.isAlive(part)) {
              reported.remove(part);
            } else if (!stack.isClosing() && reported.add(part)) {
              terminal.line(
                  "%s has ended; start it again with: ./firstcome restart %s"
                      .formatted(part.label(), part.label()));
            }
          }
        } finally {
          restarting.unlock();
        }
      }
      pause();
    }
    Shutdown.awaitExit();
  }

  private static void pause() {
    try {
      Thread.sleep(WATCH_INTERVAL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while watching", e);
    }
  }

  private void removeFiles() {
    PrivateFile.delete(home.servicesFile());
    PrivateFile.delete(home.controlFile());
  }
}
