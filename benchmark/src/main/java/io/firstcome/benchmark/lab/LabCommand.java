package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.benchmark.rig.ServiceLikeJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the well-known strategies and Firstcome under the same load. */
@Command(
    name = "lab",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = ClaimingProcess.class,
    description = {
      "Issues the same coupon by the well-known strategies and by Firstcome, in turns, on the same"
          + " servers, and kills the claiming process and Redis during the load.",
      "The result goes to the terminal and to benchmark/target/lab.json."
    })
public final class LabCommand implements Callable<Integer> {

  private static final Load QUICK = new Load(2_000, 1_000, 0);
  private static final Load FULL = new Load(20_000, 10_000, 0);
  private static final int FULL_ROUNDS = 5;
  private static final int FULL_DEATHS = 3;

  @Option(
      names = "--quick",
      description = "A small load, once: a functional check, not a measurement.")
  private boolean quick;

  @Option(
      names = "--strategy",
      split = ",",
      paramLabel = "ID",
      description = "Only these, by id; all by default. --list shows the ids.")
  private List<String> ids = List.of();

  @Option(names = "--list", description = "Shows the strategies, and runs nothing.")
  private boolean list;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Measured rounds; 5, or 1 with --quick.")
  private @Nullable Integer rounds;

  @Option(
      names = "--deaths",
      paramLabel = "N",
      description = "Kills of each kind; 3, or 1 with --quick; 0 for none.")
  private @Nullable Integer deaths;

  @Option(names = "--users", paramLabel = "N", description = "20000, or 2000 with --quick.")
  private @Nullable Integer users;

  @Option(names = "--stock", paramLabel = "N", description = "Slots; 10000, or 1000 with --quick.")
  private @Nullable Integer stock;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Decides the order of requests and when to kill; printed, to repeat a run.")
  private @Nullable Long seed;

  @Option(
      names = "--write-docs",
      description =
          "Writes the tables into docs/strategies.md; needs all strategies and no failed attempt.")
  private boolean writeDocs;

  @Spec
  @SuppressWarnings("NullAway.Init") // Set by picocli.
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    var out = spec.commandLine().getOut();
    if (list) {
      Contenders.all()
          .forEach(contender -> out.printf("%-31s %s%n", contender.id(), contender.name()));
      return 0;
    }
    var contenders = contenders();
    if (writeDocs && (quick || !contenders.equals(Contenders.all()))) {
      throw wrongUsage("--write-docs needs all strategies and no --quick");
    }
    var load = load();
    int measured = atLeast(1, "--rounds", rounds, quick ? 1 : FULL_ROUNDS);
    int killed = atLeast(0, "--deaths", deaths, quick ? 1 : FULL_DEATHS);
    ServiceLikeJvm.prepare();
    print(out, "seed " + load.seed());
    var lab = new Lab(contenders, load, measured, killed, line -> print(out, line));
    var lines = lab.run(target().resolve("lab"));
    var report = new LabReport(lines, load, measured, killed);
    out.println();
    out.print(report.plain());
    out.flush();
    LabJson.write(target().resolve("lab.json"), lines, load, measured, killed);
    if (!lab.isComplete()) {
      return 1;
    }
    if (writeDocs) {
      StrategiesPage.write(
          root().resolve("docs/strategies.md"), report.markdown(LocalDate.now(ZoneOffset.UTC)));
    }
    return 0;
  }

  private static void print(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }

  private List<Contender> contenders() {
    if (ids.isEmpty()) {
      return Contenders.all();
    }
    return ids.stream()
        .map(id ->
            Contenders.find(id)
                .orElseThrow(() ->
                    wrongUsage(
                        "unknown strategy '%s'; known are %s"
                            .formatted(
                                id,
                                Contenders.all().stream()
                                    .map(Contender::id)
                                    .collect(Collectors.joining(", "))))))
        .toList();
  }

  private Load load() {
    var usual = quick ? QUICK : FULL;
    return new Load(
        atLeast(1, "--users", users, usual.users()),
        atLeast(1, "--stock", stock, usual.quantity()),
        seed != null ? seed : ThreadLocalRandom.current().nextInt(1, 1_000_000));
  }

  private int atLeast(int least, String option, @Nullable Integer given, int usual) {
    int value = given != null ? given : usual;
    if (value < least) {
      throw wrongUsage("%s must be at least %d: %d".formatted(option, least, value));
    }
    return value;
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private static Path root() {
    return Path.of(System.getProperty("firstcome.root", "."));
  }

  private static Path target() throws IOException {
    return Files.createDirectories(root().resolve("benchmark/target"));
  }
}
