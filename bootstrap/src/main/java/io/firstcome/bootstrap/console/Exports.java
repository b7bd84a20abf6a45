package io.firstcome.bootstrap.console;

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
 */
@Component
class Exports {

  private static final int MOST = 1_000;

  /** The one that was begun first is removed first. */
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

  /** Begins a file. */
  synchronized Export begin(UserId operator, CouponId couponId) {
    var export = new Export();
    exports.remove(new Key(operator, couponId));
    exports.put(new Key(operator, couponId), export);
    if (exports.size() > MOST) {
      exports.pollFirstEntry();
    }
    return export;
  }

  /** The latest one of that operator and coupon. */
  synchronized Optional<Export> find(UserId operator, CouponId couponId) {
    return Optional.ofNullable(exports.get(new Key(operator, couponId)));
  }
}
