package io.firstcome.systemtests.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Halts or freezes this JVM; called by the instrumented method. */
public final class Halt {

  /** The exit status that distinguishes a halt from a crash and from a failed start. */
  public static final int STATUS = 86;

  private static final AtomicInteger PASSES = new AtomicInteger();

  private static volatile @Nullable Armed armed;

  private Halt() {}

  private record Armed(HaltPoint point, Path marker, boolean freezes) {}

  /** Starts to count passes. */
  static void arm(HaltPoint point, Path marker, boolean freezes) {
    armed = new Armed(point, marker, freezes);
  }

  /**
   * Called on every pass of the instrumented method; halts or freezes the JVM at the point's pass.
   */
  public static void passed() {
    var target = armed;
    if (target != null && PASSES.incrementAndGet() == target.point().pass()) {
      haltOrFreeze(target);
    }
  }

  private static void haltOrFreeze(Armed target) {
    try {
      Files.writeString(target.marker(), new HaltMarker(target.point(), System.nanoTime()).text());
    } catch (IOException e) {
      // The test that waits for the marker then fails, as it should.
      System.err.println("the marker of a halt was not written: " + e);
    } finally {
      if (target.freezes()) {
        freeze();
      } else {
        // No shutdown hook runs and no buffer is flushed, as in a crash.
        Runtime.getRuntime().halt(STATUS);
      }
    }
  }

  /** Returns after the process is continued (SIGCONT). */
  private static void freeze() {
    try {
      var stop = new ProcessBuilder("kill", "-STOP", Long.toString(ProcessHandle.current().pid()));
      stop.start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
