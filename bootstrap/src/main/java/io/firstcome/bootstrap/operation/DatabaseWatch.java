package io.firstcome.bootstrap.operation;

import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.CouponRepository;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Queries the database periodically, so that health probes do not have to: a database that does not
 * reply would block a probe until its timeout.
 */
@Component
public class DatabaseWatch extends WorkInLoops {

  private static final Duration ASK_EVERY = Duration.ofSeconds(1);

  /** Longer than the delays by a busy machine or a garbage collection. */
  private static final Duration VALID_FOR = Duration.ofSeconds(5);

  private final CouponRepository coupons;
  private final Duration validFor;
  private volatile @Nullable Long answeredNanos;

  @Autowired
  DatabaseWatch(CouponRepository coupons, IssuanceObserver observer) {
    this(coupons, observer, VALID_FOR);
  }

  /**
   * @param validFor how long a reply is valid while the next one is pending
   */
  DatabaseWatch(CouponRepository coupons, IssuanceObserver observer, Duration validFor) {
    super(observer);
    this.coupons = coupons;
    this.validFor = validFor;
  }

  /** Whether the last finished query succeeded and its reply is still valid. */
  public boolean answers() {
    var last = answeredNanos;
    return last != null && System.nanoTime() - last < validFor.toNanos();
  }

  @Override
  protected List<Loop> loops() {
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
