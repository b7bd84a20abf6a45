package io.firstcome.devservices.launcher.demo;

import io.firstcome.devservices.service.HttpAnswer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The counted answers to the claims of one burst. Thread-safe. */
public final class Tally implements Burst.Answers {

  private final Set<String> acceptedUsers = ConcurrentHashMap.newKeySet();
  private final AtomicInteger alreadyIssued = new AtomicInteger();
  private final AtomicInteger soldOut = new AtomicInteger();
  private final AtomicInteger errors = new AtomicInteger();
  private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();
  private final AtomicLong lastAcceptedNanos = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLongArray latenciesNanos;

  Tally(int claims) {
    latenciesNanos = new AtomicLongArray(claims);
  }

  /**
   * Counts a final answer. If an earlier try may have had an effect, "already issued" is counted as
   * accepted.
   */
  @Override
  public void answered(int user, HttpAnswer answer, boolean mayBeRepeat, long nanos) {
    latenciesNanos.set(user, nanos);
    String userId = UserRequests.userId(user);
    switch (answer.status()) {
      case 201, 202 -> accepted(userId);
      case 200 -> {
        if (mayBeRepeat) {
          accepted(userId);
        } else {
          alreadyIssued.incrementAndGet();
        }
      }
      case 409 -> {
        if (answer.body().contains("urn:firstcome:problem:sold-out")) {
          soldOut.incrementAndGet();
        } else {
          failed(user, "%d %s".formatted(answer.status(), answer.body()));
        }
      }
      default -> failed(user, "%d %s".formatted(answer.status(), answer.body()));
    }
  }

  private void accepted(String userId) {
    acceptedUsers.add(userId);
    lastAcceptedNanos.accumulateAndGet(System.nanoTime(), Math::max);
  }

  @Override
  public void failed(int user, String reason) {
    errors.incrementAndGet();
    firstError.compareAndSet(null, reason);
  }

  public Set<String> acceptedUsers() {
    return acceptedUsers;
  }

  public int accepted() {
    return acceptedUsers.size();
  }

  public int alreadyIssued() {
    return alreadyIssued.get();
  }

  public int soldOut() {
    return soldOut.get();
  }

  public int errors() {
    return errors.get();
  }

  Optional<String> firstError() {
    return Optional.ofNullable(firstError.get());
  }

  /** The {@link System#nanoTime()} of the last "accepted". */
  public long lastAcceptedNanos() {
    return lastAcceptedNanos.get();
  }

  /** This quantile of the times from the first sending of a claim to its final answer. */
  long latencyNanos(double quantile) {
    long[] sorted = new long[latenciesNanos.length()];
    Arrays.setAll(sorted, latenciesNanos::get);
    Arrays.sort(sorted);
    return sorted[(int) Math.min(sorted.length - 1L, (long) (quantile * sorted.length))];
  }
}
