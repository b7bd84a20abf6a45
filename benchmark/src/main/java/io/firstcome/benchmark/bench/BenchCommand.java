package io.firstcome.benchmark.bench;

import io.firstcome.benchmark.bench.report.Document;
import io.firstcome.benchmark.bench.report.MachineProbe;
import io.firstcome.benchmark.bench.report.Report;
import io.firstcome.benchmark.bench.report.ReportJson;
import io.firstcome.benchmark.bench.report.Table;
import io.firstcome.benchmark.bench.stack.BenchFolder;
import io.firstcome.benchmark.bench.target.Bench;
import io.firstcome.benchmark.bench.target.Scale;
import io.firstcome.benchmark.code.CodeRun;
import io.firstcome.benchmark.rig.ServiceLikeJvm;
import io.firstcome.devservices.process.FolderLock;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures the performance targets. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measures the performance targets, each as a ratio within this run, and the cost of",
      "pure code. The results are a table on the terminal, every round in",
      "benchmark/target/report.json, and after a complete run docs/performance.md.",
      "A complete run takes about an hour, on a machine that should have no other load."
    })
public final class BenchCommand implements Callable<Integer> {

  private static final int DONE = 0;
  private static final int FAILED = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--quick",
      description = "One short round of most targets: under three minutes, for a first impression.")
  private boolean quick;

  @Option(
      names = "--write-docs",
      description = "Writes docs/performance.md also when the run is not complete.")
  private boolean writeDocs;

  @Parameters(
      arity = "0..*",
      paramLabel = "TARGET",
      description = "Targets to measure, such as P2 P7; all by default.")
  private List<String> chosen = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServiceLikeJvm.prepare();
    Collection<String> ids = chosen.isEmpty() ? Targets.ids() : known(chosen);
    Path root = Path.of(System.getProperty("firstcome.root", ".")).toAbsolutePath().normalize();
    Path target = root.resolve("benchmark/target");
    BenchFolder home = new BenchFolder(root, target.resolve("bench"));
    try (FolderLock _ =
        FolderLock.tryAcquire(home.work())
            .orElseThrow(() -> new IllegalStateException("another benchmark is running here"))) {
      return measure(ids, home, target.resolve("report.json"));
    }
  }

  private int measure(Collection<String> ids, BenchFolder home, Path json)
      throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Instant startedAt = Instant.now();
    var machine = MachineProbe.look();
    BenchRun run;
    Report report;
    try (Bench bench = new Bench(home, quick ? Scale.quick() : Scale.full())) {
      run = new BenchRun(bench, machine, line -> print(out, line));
      if (quick && chosen.isEmpty()) {
        run.skip(Targets.tooLongForQuick(bench), "takes too long for --quick unless it is named");
        run.measure(Targets.quick(bench));
      } else {
        run.measure(Targets.of(ids, bench));
      }
      if (chosen.isEmpty()) {
        run.measure(quick ? CodeRun.quick() : CodeRun.full());
      }
      report = run.report(startedAt, !quick && chosen.isEmpty());
    }
    Files.writeString(json, ReportJson.of(report));
    if (report.complete() || writeDocs) {
      Document.write(report, home.root().resolve("docs"));
    }
    print(out, Table.of(report));
    return run.hasFailed() ? FAILED : DONE;
  }

  /** Flushes each line, since a run takes long. */
  private static void print(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }

  private Collection<String> known(List<String> ids) {
    for (String id : ids) {
      if (!Targets.ids().contains(id)) {
        throw new ParameterException(
            spec.commandLine(), "unknown target '%s'; known are %s".formatted(id, Targets.ids()));
      }
    }
    return ids;
  }
}
