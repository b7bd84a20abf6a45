package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.lab.strategy.Strategy;
import io.firstcome.benchmark.lab.strategy.StrategyAnswer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Sends all requests of a load by {@link Load#CALLERS} concurrent callers; each sends its next
 * request when it has the answer to its last one.
 *
 * <p>The callers are virtual threads, as in the service: with as many platform threads on few
 * processors, context switches would dominate the measurement of every strategy that blocks.
 */
final class CallerBurst {

  private static final long LONGEST_MICROS = Duration.ofMinutes(2).toNanos() / 1_000;
  private static final int DIGITS = 3;

  private final Strategy strategy;
  private final List<String> requests;
  private final ReportedWins reported;
  private final Consumer<String> onWin;

  private final Histogram wins = new ConcurrentHistogram(LONGEST_MICROS, DIGITS);
  private final Histogram refusals = new ConcurrentHistogram(LONGEST_MICROS, DIGITS);
  private final LongAdder failed = new LongAdder();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicLong lastWinNanos = new AtomicLong();

  /**
   * @param onWin called with each winner before the answer counts as received; concurrently
   */
  CallerBurst(
      Strategy strategy, List<String> requests, ReportedWins reported, Consumer<String> onWin) {
    this.strategy = strategy;
    this.requests = requests;
    this.reported = reported;
    this.onWin = onWin;
  }

  /**
   * The measured times and counts.
   *
   * @param took time from the first request to the last answer
   * @param tookWins time from the first request to the last win
   * @param wins latencies of wins, in microseconds
   * @param refusals latencies of all other answers, in microseconds
   * @param failed requests without an answer
   */
  record Result(
      int requests,
      Duration took,
      Duration tookWins,
      Histogram wins,
      Histogram refusals,
      long failed) {

    /** Answers per second, wins and refusals. */
    double perSecond() {
      return (requests - failed) / seconds(took);
    }

    /** Wins per second, from the first request to the last win. */
    double winsPerSecond() {
      return wins.getTotalCount() / seconds(tookWins);
    }

    private static double seconds(Duration time) {
      return Math.max(1, time.toNanos()) / 1e9;
    }
  }

  /** Sends all requests; an interrupted caller sends no more. */
  Result run() throws InterruptedException {
    var begin = new CountDownLatch(1);
    var end = new CountDownLatch(Load.CALLERS);
    for (int i = 0; i < Load.CALLERS; i++) {
      var _ =
          Thread.startVirtualThread(() -> {
            try {
              begin.await();
              callUntilDone();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            } finally {
              end.countDown();
            }
          });
    }
    long started = System.nanoTime();
    begin.countDown();
    end.await();
    long ended = System.nanoTime();
    return new Result(
        requests.size(),
        Duration.ofNanos(ended - started),
        Duration.ofNanos(Math.max(0, lastWinNanos.get() - started)),
        wins.copy(),
        refusals.copy(),
        failed.sum());
  }

  private void callUntilDone() {
    for (int i = next.getAndIncrement(); i < requests.size(); i = next.getAndIncrement()) {
      call(requests.get(i));
    }
  }

  private void call(String user) {
    long sentNanos = System.nanoTime();
    StrategyAnswer answer;
    try {
      answer = strategy.claim(user);
    } catch (Exception e) {
      // Expected when a server is killed or a strategy gives up: counted, not reported.
      failed.increment();
      return;
    }
    long now = System.nanoTime();
    long micros = Math.min(LONGEST_MICROS, (now - sentNanos) / 1_000);
    if (answer == StrategyAnswer.WON) {
      onWin.accept(user);
      wins.recordValue(micros);
      lastWinNanos.accumulateAndGet(now, Math::max);
    } else {
      refusals.recordValue(micros);
    }
    reported.add(user, answer);
  }
}
