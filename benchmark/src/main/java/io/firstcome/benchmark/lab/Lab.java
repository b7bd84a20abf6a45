package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.devservices.DevServices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/** Runs all strategies in turns, under the same load, on the same servers, with the same kills. */
final class Lab {

  private static final String DATABASE = "lab";
  private static final String FIRSTCOME_DATABASE = "lab_firstcome";

  private final List<Contender> contenders;
  private final Load load;
  private final int rounds;
  private final int deaths;
  private final Consumer<String> progress;
  private boolean complete = true;

  /**
   * @param rounds measured rounds, without a kill
   * @param deaths kills of each kind
   * @param progress receives a message for each step
   */
  Lab(List<Contender> contenders, Load load, int rounds, int deaths, Consumer<String> progress) {
    this.contenders = List.copyOf(contenders);
    this.load = load;
    this.rounds = rounds;
    this.deaths = deaths;
    this.progress = progress;
  }

  /** Starts servers of its own in the folder, runs everything, and stops the servers. */
  List<Line> run(Path folder) throws SQLException, InterruptedException {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (var servers = DevServices.forMeasurementsIn(folder.resolve("servers"))) {
      var stores =
          new Stores(
              servers.postgres(), servers.redis(), servers.amqp(), DATABASE, FIRSTCOME_DATABASE);
      var _ = servers.postgres().createDatabase(DATABASE);
      var lines = contenders.stream().map(Line::new).toList();
      for (int round = 0; round < rounds; round++) {
        measure(lines, stores, round);
      }
      for (int round = 0; round < deaths; round++) {
        kill(lines, stores, round, folder);
      }
      return lines;
    }
  }

  private void measure(List<Line> lines, Stores stores, int round)
      throws SQLException, InterruptedException {
    for (var line : lines) {
      progress.accept("round %d of %d: %s".formatted(round + 1, rounds, line.contender().name()));
      attempt(
          line,
          () -> {
            Turn.warmUp(line.contender(), stores, load(round));
            line.add(Turn.run(line.contender(), stores, load(round)));
          });
    }
  }

  private void kill(List<Line> lines, Stores stores, int round, Path folder)
      throws SQLException, InterruptedException {
    for (var line : lines) {
      progress.accept("kill %d of %d: %s".formatted(round + 1, deaths, line.contender().name()));
      var death = new Death(line.contender(), stores, load(round));
      attempt(line, () -> line.addProcessDeath(death.ofTheProcess(folder)));
      if (line.contender().usesRedis()) {
        attempt(line, () -> line.addRedisDeath(death.ofRedis()));
      }
    }
  }

  private interface Attempt {
    void run() throws SQLException, InterruptedException;
  }

  /** Reports and skips a failed attempt, since the results of the others took long to measure. */
  private void attempt(Line line, Attempt attempt) throws SQLException, InterruptedException {
    try {
      attempt.run();
    } catch (IllegalStateException e) {
      complete = false;
      progress.accept("failed: %s: %s".formatted(line.contender().name(), e.getMessage()));
    }
  }

  /** Whether no attempt failed. */
  boolean isComplete() {
    return complete;
  }

  /** The load of a round, the same for all strategies. */
  private Load load(int round) {
    return new Load(load.users(), load.quantity(), load.seed() + 2L * round);
  }
}
