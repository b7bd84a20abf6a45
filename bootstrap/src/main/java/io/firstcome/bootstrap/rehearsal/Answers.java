package io.firstcome.bootstrap.rehearsal;

import io.firstcome.domain.rehearsal.CrowdResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** The answers of a crowd. Thread-safe. */
final class Answers {

  /** Longer than any crowd takes; what comes later counts in the last second. */
  private static final int SECONDS = 3_600;

  private final long begun = System.nanoTime();
  private final int users;
  private final int quantity;
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger soldOut = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicLong lastAccepted = new AtomicLong();
  private final AtomicLong lastAnswer = new AtomicLong();
  private final AtomicIntegerArray bySecond = new AtomicIntegerArray(SECONDS);
  private final AtomicIntegerArray latencyMicros;
  private final AtomicInteger latencies = new AtomicInteger();

  /** How a claim ended. */
  enum Outcome {
    ACCEPTED,
    SOLD_OUT,
    REFUSED,
    FAILED
  }

  /**
   * @param users who send one claim each
   * @param quantity of slots
   */
  Answers(int users, int quantity) {
    this.users = users;
    this.quantity = quantity;
    this.latencyMicros = new AtomicIntegerArray(users);
  }

  /** Adds an answer that decides a claim. */
  void add(Outcome outcome, long latencyNanos) {
    long now = System.nanoTime() - begun;
    counter(outcome).incrementAndGet();
    if (outcome == Outcome.ACCEPTED) {
      lastAccepted.accumulateAndGet(now, Math::max);
    }
    lastAnswer.accumulateAndGet(now, Math::max);
    bySecond.incrementAndGet(
        Math.toIntExact(Math.min(SECONDS - 1, TimeUnit.NANOSECONDS.toSeconds(now))));
    latencyMicros.set(
        latencies.getAndIncrement(),
        Math.toIntExact(Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMicros(latencyNanos))));
  }

  private AtomicInteger counter(Outcome outcome) {
    return switch (outcome) {
      case ACCEPTED -> accepted;
      case SOLD_OUT -> soldOut;
      case REFUSED -> refused;
      case FAILED -> throw new IllegalArgumentException("not an answer");
    };
  }

  int count() {
    return latencies.get();
  }

  CrowdResult result(MachineLoad load) {
    var sorted = new int[latencies.get()];
    Arrays.setAll(sorted, latencyMicros::get);
    Arrays.sort(sorted);
    boolean isSoldOut = accepted.get() >= quantity;
    return new CrowdResult(
        accepted.get(),
        soldOut.get(),
        refused.get(),
        // Users who have not claimed are not answered either.
        users - accepted.get() - soldOut.get() - refused.get(),
        percentile(sorted, 50),
        percentile(sorted, 95),
        percentile(sorted, 99),
        percentile(sorted, 100),
        isSoldOut ? Duration.ofNanos(lastAccepted.get()) : null,
        Duration.ofNanos(lastAnswer.get()),
        mostInASecond(),
        load.processors(),
        load.until(lastAccepted.get(), accepted.get()),
        load.after(lastAccepted.get(), soldOut.get() + refused.get()));
  }

  /** The value that this part of all values does not exceed (nearest rank). */
  private static Duration percentile(int[] sorted, int percent) {
    if (sorted.length == 0) {
      return Duration.ZERO;
    }
    int rank = Math.max(1, Math.toIntExact(Math.ceilDiv((long) sorted.length * percent, 100)));
    return Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(sorted[rank - 1]));
  }

  private int mostInASecond() {
    int most = 0;
    for (int i = 0; i < SECONDS; i++) {
      most = Math.max(most, bySecond.get(i));
    }
    return most;
  }
}
