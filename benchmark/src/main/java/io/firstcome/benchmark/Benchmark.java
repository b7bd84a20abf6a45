package io.firstcome.benchmark;

import io.firstcome.benchmark.bench.BenchCommand;
import io.firstcome.benchmark.lab.LabCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The main program of {@code ./firstcome bench} and {@code ./firstcome lab}. */
@Command(
    name = "./firstcome",
    subcommands = {BenchCommand.class, LabCommand.class})
public final class Benchmark {

  private Benchmark() {}

  /** Runs one command and exits: 0 done, 1 failed, 2 wrong usage. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Benchmark()).execute(arguments));
  }
}
