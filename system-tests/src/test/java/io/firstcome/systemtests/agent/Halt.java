package io.firstcome.systemtests.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The end of this JVM, or a pause of it: what the woven-in call comes to. */
public final class Halt {

  /** Tells this end from a crash and from a refusal to start. */
  public static final int STATUS = 86;

  private static final AtomicInteger PASSES = new AtomicInteger();

  private static volatile @Nullable Armed armed;

  private Halt() {}

  private record Armed(HaltPoint point, Path marker, boolean freezes) {}

  /** From now on passes are counted. */
  static void arm(HaltPoint point, Path marker, boolean freezes) {
    armed = new Armed(point, marker, freezes);
  }

  /** Called by the woven method each time; at the point's pass it halts or freezes the JVM. */
  public static void passed() {
    var target = armed;
    if (target != null && PASSES.incrementAndGet() == target.point().pass()) {
      now(target);
    }
  }

  private static void now(Armed target) {
    try {
      Files.writeString(target.marker(), new HaltMarker(target.point(), System.nanoTime()).text());
    } catch (IOException e) {
      // Without its marker the test that waits for it fails, which is what it should do.
      System.err.println("the marker of a halt was not written: " + e);
    } finally {
      if (target.freezes()) {
        freeze();
      } else {
        // No shutdown hook runs and no buffer is flushed, as if the power of it were cut.
        Runtime.getRuntime().halt(STATUS);
      }
    }
  }

  /** Returns when the process was continued (SIGCONT). */
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
