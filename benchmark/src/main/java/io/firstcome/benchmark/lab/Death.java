package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.Benchmark;
import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.benchmark.lab.strategy.Strategy;
import io.firstcome.benchmark.rig.Waiting;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGKILL in the midst of a burst, at a moment that the load's seed decides. Afterwards what died
 * starts again, the strategy goes on by its own rules, and everybody asks once more, as people do
 * who got no answer: so at the end every piece should have found its user.
 */
final class Death {

  private static final Duration STRIKES_WITHIN = Duration.ofMinutes(2);
  private static final Duration ANSWERS_WITHIN = Duration.ofMinutes(1);
  private static final Duration DEAD_WITHIN = Duration.ofSeconds(10);

  /** It strikes when between a tenth and six tenths of the pieces are given. */
  private static final double EARLIEST = 0.1;

  private static final double LATEST = 0.6;

  private final Contender contender;
  private final Stores stores;
  private final Load load;

  Death(Contender contender, Stores stores, Load load) {
    this.contender = contender;
    this.stores = stores;
    this.load = load;
  }

  /**
   * What came of it.
   *
   * @param winsBefore users who had been told that they won when it struck
   */
  record Result(int winsBefore, Verdict verdict) {}

  /** Of the process that claims, with the consumers and jobs in it. */
  Result ofTheProcess(Path folder) throws SQLException, InterruptedException {
    try (var strategy = open()) {
      strategy.prepare();
    }
    var told = new Told();
    told.addWinners(winnersUntilKilled(folder.resolve(contender.id() + "-winners.txt")));
    int winsBefore = told.winners().size();
    try (var strategy = open()) {
      strategy.start();
      return new Result(winsBefore, allAskAgain(strategy, told));
    }
  }

  private List<String> winnersUntilKilled(Path winners) throws InterruptedException {
    try {
      var done = ClaimingProcess.doneMark(winners);
      Files.deleteIfExists(winners);
      Files.deleteIfExists(done);
      var words = new ArrayList<String>();
      words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      words.addAll(
          List.of("-cp", System.getProperty("java.class.path"), Benchmark.class.getName()));
      words.addAll(ClaimingProcess.arguments(contender, stores, load, winners));
      var builder =
          new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(new File(winners + ".log"));
      builder.environment().put(ClaimingProcess.DATABASE_PASSWORD, stores.postgres().password());
      builder.environment().put(ClaimingProcess.AMQP_PASSWORD, stores.amqp().password());
      var process = builder.start();
      try {
        long bytes = (long) moment() * (load.names().getFirst().length() + 1);
        Waiting.until(
            STRIKES_WITHIN,
            () -> size(winners) >= bytes || Files.exists(done) || !process.isAlive(),
            "no moment to strike");
        if (!process.isAlive()) {
          throw new IllegalStateException("it died by itself; see " + winners + ".log");
        }
      } finally {
        process.destroyForcibly();
      }
      if (!process.waitFor(DEAD_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("it did not die: process " + process.pid());
      }
      return lines(winners);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long size(Path file) {
    return file.toFile().length();
  }

  /** Without what was cut off within a line: that answer was not given. */
  private static List<String> lines(Path file) throws IOException {
    var text = Files.readString(file, StandardCharsets.US_ASCII);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  /** Of Redis, which keeps what is in its append-only file; the process that claims lives on. */
  Result ofRedis() throws SQLException, InterruptedException {
    try (var strategy = open()) {
      strategy.prepare();
      strategy.start();
      var told = new Told();
      var strikes = new CountDownLatch(moment());
      var burst = new Burst(strategy, load.requests(), told, user -> strikes.countDown());
      var claiming = Thread.startVirtualThread(() -> run(burst, strikes));
      if (!strikes.await(STRIKES_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("no moment to strike");
      }
      stores.redis().kill();
      stores.redis().restart();
      claiming.join();
      return new Result(told.winners().size(), allAskAgain(strategy, told));
    }
  }

  /** Where fewer win than it should strike after, it strikes at the end. */
  private static void run(Burst burst, CountDownLatch strikes) {
    try {
      var _ = burst.run();
      while (strikes.getCount() > 0) {
        strikes.countDown();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Verdict allAskAgain(Strategy strategy, Told told)
      throws SQLException, InterruptedException {
    var first = load.requests().getFirst();
    Waiting.until(ANSWERS_WITHIN, () -> answers(strategy, first, told), "no claim is answered");
    var _ = new Burst(strategy, load.requests(), told, user -> {}).run();
    strategy.settle(Turn.SETTLE_WITHIN);
    return Turn.verdict(strategy, load, told);
  }

  private static boolean answers(Strategy strategy, String user, Told told) {
    try {
      told.add(user, strategy.claim(user));
      return true;
    } catch (Exception e) {
      // It is still coming back.
      return false;
    }
  }

  private Strategy open() {
    return contender.opener().open(stores, load.pieces());
  }

  /** So many wins after which it strikes; at the end of the burst where there are fewer. */
  private int moment() {
    double share = EARLIEST + (LATEST - EARLIEST) * new Random(load.seed()).nextDouble();
    return Math.max(1, (int) (share * Math.min(load.pieces(), load.users())));
  }
}
