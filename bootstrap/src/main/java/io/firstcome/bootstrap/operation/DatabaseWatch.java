package io.firstcome.bootstrap.operation;

import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.IssuanceObserver;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Asks the database again and again, so that a health probe does not have to: a server that hangs
 * would hang the probe, and one that probes every second gives up after one.
 */
@Component
class DatabaseWatch extends WorkInLoops {

  private static final Duration ASK_EVERY = Duration.ofSeconds(1);

  /** Longer than a busy machine delays an answer, and than a pause of the collector. */
  private static final Duration COUNTS_FOR = Duration.ofSeconds(5);

  private final CouponRepository coupons;
  private final Duration countsFor;
  private volatile @Nullable Long answeredNanos;

  @Autowired
  DatabaseWatch(CouponRepository coupons, IssuanceObserver observer) {
    this(coupons, observer, COUNTS_FOR);
  }

  /**
   * @param countsFor how long an answer counts while the next one is waited for
   */
  DatabaseWatch(CouponRepository coupons, IssuanceObserver observer, Duration countsFor) {
    super(observer);
    this.coupons = coupons;
    this.countsFor = countsFor;
  }

  /** Whether the database has answered the last question, or answered one a moment ago. */
  boolean answers() {
    var last = answeredNanos;
    return last != null && System.nanoTime() - last < countsFor.toNanos();
  }

  @Override
  List<Loop> loops() {
    return List.of(loop("asking the database", this::ask));
  }

  Duration ask() {
    boolean answered = false;
    try {
      coupons.page(null, null, 1);
      answered = true;
    } finally {
      answeredNanos = answered ? System.nanoTime() : null;
    }
    return ASK_EVERY;
  }
}
