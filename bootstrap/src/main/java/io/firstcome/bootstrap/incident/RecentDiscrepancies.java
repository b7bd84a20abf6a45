package io.firstcome.bootstrap.incident;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.observation.ConsistencyObservation;
import io.firstcome.domain.observation.ConsistencyObservation.CouponCompared;
import io.firstcome.domain.observation.ConsistencyObservation.DiscrepanciesFound;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;

/** What the last comparison of each coupon has found, as far as it has found something. */
@Component
public class RecentDiscrepancies {

  private static final int MOST = 100;

  /** A coupon that is archived is not compared any more. */
  private static final Duration LATELY = Duration.ofHours(1);

  private final Map<CouponId, Found> found = new LinkedHashMap<>();

  /** Coupons of which the comparison that is not finished has found something. */
  private final Set<CouponId> current = new HashSet<>();

  private record Found(DiscrepanciesFound findings, long nanos) {

    boolean isOld() {
      return System.nanoTime() - nanos > LATELY.toNanos();
    }
  }

  /** The findings of the last hour, those of the coupon that had the first one first. */
  public synchronized List<DiscrepanciesFound> list() {
    found.values().removeIf(Found::isOld);
    return found.values().stream().map(Found::findings).toList();
  }

  /** Notes the result of a comparison: first what it has found, if anything, then its end. */
  public synchronized void note(ConsistencyObservation observation) {
    switch (observation) {
      case DiscrepanciesFound findings -> {
        if (found.size() < MOST || found.containsKey(findings.couponId())) {
          found.put(findings.couponId(), new Found(findings, System.nanoTime()));
          current.add(findings.couponId());
        }
      }
      case CouponCompared(var couponId, _) -> {
        if (!current.remove(couponId)) {
          found.remove(couponId);
        }
      }
      case ConsistencyObservation.RevisionRaised _, ConsistencyObservation.CouponUnreadable _ -> {
        // An alert is raised for them.
      }
    }
  }
}
