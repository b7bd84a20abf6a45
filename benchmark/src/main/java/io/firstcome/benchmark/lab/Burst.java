package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.lab.strategy.Answer;
import io.firstcome.benchmark.lab.strategy.Strategy;
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
 * All requests of a load, made by {@link Load#CALLERS} callers as fast as they are answered: each
 * takes the next request when it has the answer to its last one.
 *
 * <p>The callers are virtual threads, as the service's are: with so many platform threads on few
 * processors the cost of switching between them would be most of what is measured, for every
 * strategy that waits.
 */
final class Burst {

  private static final long LONGEST_MICROS = Duration.ofMinutes(2).toNanos() / 1_000;
  private static final int DIGITS = 3;

  private final Strategy strategy;
  private final List<String> requests;
  private final Told told;
  private final Consumer<String> onWin;

  private final Histogram wins = new ConcurrentHistogram(LONGEST_MICROS, DIGITS);
  private final Histogram refusals = new ConcurrentHistogram(LONGEST_MICROS, DIGITS);
  private final LongAdder failed = new LongAdder();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicLong lastWinNanos = new AtomicLong();

  /**
   * @param onWin is told a winner before the answer counts as given; many at a time
   */
  Burst(Strategy strategy, List<String> requests, Told told, Consumer<String> onWin) {
    this.strategy = strategy;
    this.requests = requests;
    this.told = told;
    this.onWin = onWin;
  }

  /**
   * What was measured.
   *
   * @param took from the first request to the last answer
   * @param tookWins from the first request to the last win
   * @param wins how long the winners waited, in microseconds
   * @param refusals how long all others who were answered waited, in microseconds
   * @param failed requests without an answer
   */
  record Result(
      int requests,
      Duration took,
      Duration tookWins,
      Histogram wins,
      Histogram refusals,
      long failed) {

    /** Answers a second, of all kinds. */
    double perSecond() {
      return (requests - failed) / seconds(took);
    }

    /** Wins a second, until the last one. */
    double winsPerSecond() {
      return wins.getTotalCount() / seconds(tookWins);
    }

    private static double seconds(Duration time) {
      return Math.max(1, time.toNanos()) / 1e9;
    }
  }

  /** Makes all requests; an interrupted caller makes no more. */
  Result run() throws InterruptedException {
    var begin = new CountDownLatch(1);
    var end = new CountDownLatch(Load.CALLERS);
    for (int i = 0; i < Load.CALLERS; i++) {
      var _ =
          Thread.startVirtualThread(() -> {
            try {
              begin.await();
              callOn();
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

  private void callOn() {
    for (int i = next.getAndIncrement(); i < requests.size(); i = next.getAndIncrement()) {
      call(requests.get(i));
    }
  }

  private void call(String user) {
    long asked = System.nanoTime();
    Answer answer;
    try {
      answer = strategy.claim(user);
    } catch (Exception e) {
      // Servers are killed under it, and some strategies give up: no answer is a figure of its own.
      failed.increment();
      return;
    }
    long now = System.nanoTime();
    long micros = Math.min(LONGEST_MICROS, (now - asked) / 1_000);
    if (answer == Answer.WON) {
      onWin.accept(user);
      wins.recordValue(micros);
      lastWinNanos.accumulateAndGet(now, Math::max);
    } else {
      refusals.recordValue(micros);
    }
    told.add(user, answer);
  }
}
