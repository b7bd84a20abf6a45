package io.firstcome.bootstrap.console;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.Completion;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/**
 * The latest file of user coupons of each coupon that each operator downloads from this instance.
 * Each file that is being sent reads the database for as long as it takes, so their number is
 * limited, in all and for each operator.
 */
@Component
class Exports {

  private static final int MOST_RUNNING = 2;
  private static final int MOST = 1_000;
  private static final Duration RETRY = Duration.ofSeconds(30);

  /** In the order in which they were begun. */
  private final LinkedHashMap<Key, Export> exports = new LinkedHashMap<>();

  private record Key(UserId operator, CouponId couponId) {}

  /** Whether a file was sent. */
  enum State {
    RUNNING,
    COMPLETE,
    INCOMPLETE
  }

  /** A file that is being sent, until it is closed. */
  static final class Export implements AutoCloseable {

    private final long begunNanos = System.nanoTime();
    private final AtomicLong sent = new AtomicLong();
    private volatile long expected;
    private volatile State state = State.RUNNING;

    private Export() {}

    /** Sets the number of its user coupons. */
    void expect(long number) {
      expected = number;
    }

    void countOne() {
      sent.incrementAndGet();
    }

    /** The last line was sent. */
    void complete() {
      state = State.COMPLETE;
    }

    /** The file stays incomplete unless {@link #complete} was called. */
    @Override
    public void close() {
      if (state == State.RUNNING) {
        state = State.INCOMPLETE;
      }
    }

    State state() {
      return state;
    }

    /** How many of its user coupons are sent. */
    Completion completion() {
      var took = Duration.ofNanos(System.nanoTime() - begunNanos);
      return new Completion(sent.get(), expected, took);
    }
  }

  /**
   * Begins a file.
   *
   * @throws Problem {@code too-many-requests} if another one is being sent to the operator, {@code
   *     overloaded} if others are being sent to other operators
   */
  synchronized Export begin(UserId operator, CouponId couponId) {
    var running = exports.entrySet().stream().filter(entry -> isRunning(entry.getValue())).toList();
    if (running.stream().anyMatch(entry -> entry.getKey().operator().equals(operator))) {
      throw Problem.tooMany("Another file of user coupons is being sent to you.", RETRY);
    }
    if (running.size() == MOST_RUNNING) {
      throw Problem.overloaded(RETRY);
    }
    var export = new Export();
    exports.remove(new Key(operator, couponId));
    exports.put(new Key(operator, couponId), export);
    if (exports.size() > MOST) {
      exports.values().stream()
          .filter(old -> !isRunning(old))
          .findFirst()
          .ifPresent(exports.values()::remove);
    }
    return export;
  }

  private static boolean isRunning(Export export) {
    return export.state() == State.RUNNING;
  }

  /** The latest one of that operator and coupon. */
  synchronized Optional<Export> find(UserId operator, CouponId couponId) {
    return Optional.ofNullable(exports.get(new Key(operator, couponId)));
  }
}
