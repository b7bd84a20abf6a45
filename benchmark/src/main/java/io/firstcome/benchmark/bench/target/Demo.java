package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.devservices.process.Folders;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** P9: {@code ./firstcome demo} from a built tree, as a user sees it. */
public final class Demo implements Target {

  private static final double READY_SECONDS_MAX = 7;
  private static final double WHOLE_SECONDS_MAX = 12;

  /** Begins the line that the demo prints when the service is ready. */
  private static final String READY_LINE = "  service ";

  private final Bench bench;

  public Demo(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P9",
            "./firstcome demo from a built tree: time until the service is ready",
            "s",
            "time",
            "limit",
            Goal.atMost(1)),
        new Measure(
            "P9-whole",
            "./firstcome demo from a built tree: time until it ends",
            "s",
            "time",
            "limit",
            Goal.atMost(1)));
  }

  @Override
  public int rounds() {
    return bench.scale().longRounds();
  }

  /**
   * Stops the shared service: the demo has a service and servers of its own, and needs an idle
   * machine.
   */
  @Override
  public void prepare() {
    bench.close();
  }

  @Override
  public List<Pair> round() {
    Path folder = bench.home().work().resolve("demo");
    try {
      long from = System.nanoTime();
      Process demo = start(folder);
      double ready = secondsUntilReady(demo, from);
      int exit = demo.waitFor();
      double whole = secondsSince(from);
      if (exit != 0 || ready < 0) {
        throw new IllegalStateException("the demo failed with status " + exit);
      }
      return List.of(new Pair(ready, READY_SECONDS_MAX), new Pair(whole, WHOLE_SECONDS_MAX));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in the demo", e);
    } finally {
      Folders.delete(folder);
    }
  }

  private Process start(Path folder) throws IOException {
    ProcessBuilder demo =
        new ProcessBuilder(bench.home().root().resolve("firstcome").toString(), "demo")
            .redirectErrorStream(true);
    demo.environment().put("FIRSTCOME_HOME", folder.toString());
    return demo.start();
  }

  /** Reads the whole output; returns -1 if the service was never ready. */
  private static double secondsUntilReady(Process demo, long from) throws IOException {
    double ready = -1;
    try (BufferedReader lines = demo.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (ready < 0 && line.startsWith(READY_LINE)) {
          ready = secondsSince(from);
        }
      }
    }
    return ready;
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
