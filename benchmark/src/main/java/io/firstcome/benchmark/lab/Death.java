package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.Benchmark;
import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.benchmark.lab.strategy.Strategy;
import io.firstcome.benchmark.rig.BoundedWait;
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
 * SIGKILL during a burst, at a moment that the seed of the load decides. Then the killed process
 * restarts, the strategy recovers by its own rules, and all users claim again, as users without an
 * answer would: at the end every slot should be allocated.
 */
final class Death {

  private static final Duration WINS_WITHIN = Duration.ofMinutes(2);
  private static final Duration ANSWERS_WITHIN = Duration.ofMinutes(1);
  private static final Duration EXIT_WITHIN = Duration.ofSeconds(10);

  /** The kill follows when between a tenth and six tenths of the slots are allocated. */
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
   * The result of a kill.
   *
   * @param winsBefore users with a win in the burst that the kill interrupted
   */
  record Result(int winsBefore, Verdict verdict) {}

  /** Kills the claiming process, with the consumers and jobs in it. */
  Result ofTheProcess(Path folder) throws SQLException, InterruptedException {
    try (var strategy = open()) {
      strategy.prepare();
    }
    var reported = new ReportedWins();
    reported.addWinners(winnersUntilKilled(folder.resolve(contender.id() + "-winners.txt")));
    int winsBefore = reported.winners().size();
    try (var strategy = open()) {
      strategy.start();
      return new Result(winsBefore, claimAgain(strategy, reported));
    }
  }

  private List<String> winnersUntilKilled(Path winners) throws InterruptedException {
    try {
      var done = ClaimingProcess.doneMark(winners);
      Files.deleteIfExists(winners);
      Files.deleteIfExists(done);
      var command = new ArrayList<String>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(
          List.of("-cp", System.getProperty("java.class.path"), Benchmark.class.getName()));
      command.addAll(ClaimingProcess.arguments(contender, stores, load, winners));
      var builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(new File(winners + ".log"));
      builder.environment().put(ClaimingProcess.DATABASE_PASSWORD, stores.postgres().password());
      builder.environment().put(ClaimingProcess.AMQP_PASSWORD, stores.amqp().password());
      var process = builder.start();
      try {
        long bytes = (long) winsBeforeKill() * (load.names().getFirst().length() + 1);
        BoundedWait.until(
            WINS_WITHIN,
            () -> size(winners) >= bytes || Files.exists(done) || !process.isAlive(),
            "too few wins before the kill");
        if (!process.isAlive()) {
          throw new IllegalStateException("the claiming process ended; see " + winners + ".log");
        }
      } finally {
        process.destroyForcibly();
      }
      if (!process.waitFor(EXIT_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("the killed process did not end: " + process.pid());
      }
      return lines(winners);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long size(Path file) {
    return file.toFile().length();
  }

  /** Only complete lines: the answer of a cut-off line does not count as received. */
  private static List<String> lines(Path file) throws IOException {
    var text = Files.readString(file, StandardCharsets.US_ASCII);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  /** Kills Redis, which restarts with its append-only file; the claiming process continues. */
  Result ofRedis() throws SQLException, InterruptedException {
    try (var strategy = open()) {
      strategy.prepare();
      strategy.start();
      var reported = new ReportedWins();
      var winsUntilKill = new CountDownLatch(winsBeforeKill());
      var burst =
          new CallerBurst(strategy, load.requests(), reported, user -> winsUntilKill.countDown());
      var claiming = Thread.startVirtualThread(() -> run(burst, winsUntilKill));
      if (!winsUntilKill.await(WINS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("too few wins before the kill");
      }
      stores.redis().kill();
      stores.redis().restart();
      claiming.join();
      return new Result(reported.winners().size(), claimAgain(strategy, reported));
    }
  }

  /** Runs the burst. If it has fewer wins than the kill waits for, the kill follows at its end. */
  private static void run(CallerBurst burst, CountDownLatch winsUntilKill) {
    try {
      var _ = burst.run();
      while (winsUntilKill.getCount() > 0) {
        winsUntilKill.countDown();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Verdict claimAgain(Strategy strategy, ReportedWins reported)
      throws SQLException, InterruptedException {
    var first = load.requests().getFirst();
    BoundedWait.until(
        ANSWERS_WITHIN, () -> answers(strategy, first, reported), "no claim is answered");
    var _ = new CallerBurst(strategy, load.requests(), reported, user -> {}).run();
    strategy.settle(Turn.SETTLE_WITHIN);
    return Turn.verdict(strategy, load, reported);
  }

  private static boolean answers(Strategy strategy, String user, ReportedWins reported) {
    try {
      reported.add(user, strategy.claim(user));
      return true;
    } catch (Exception e) {
      // It has not recovered yet.
      return false;
    }
  }

  private Strategy open() {
    return contender.opener().open(stores, load.quantity());
  }

  /** The number of wins after which the kill follows; if there are fewer, it follows at the end. */
  private int winsBeforeKill() {
    double share = EARLIEST + (LATEST - EARLIEST) * new Random(load.seed()).nextDouble();
    return Math.max(1, (int) (share * Math.min(load.quantity(), load.users())));
  }
}
