package io.firstcome.bootstrap.incident;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.observation.RecoveryObservation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** The recoveries that this instance runs, and those that have not succeeded. */
@Component
public class RunningRecoveries {

  /** More are not of use to a reader. */
  private static final int MOST = 20;

  private final Map<Partition, String> partitions = new LinkedHashMap<>();
  private final Map<CouponId, String> coupons = new LinkedHashMap<>();

  /** A sentence about each, the latest last. */
  public synchronized List<String> sentences() {
    var all = new ArrayList<>(partitions.values());
    all.addAll(coupons.values());
    return all.stream().limit(MOST).toList();
  }

  /** Notes how far a recovery is. */
  public synchronized void note(RecoveryObservation observation) {
    switch (observation) {
      case RecoveryObservation.StepDone(var partition, var epoch, var step) -> {
        switch (step) {
          case EPOCH_RAISED, FENCED ->
              put(partition, "in epoch %s: claims are refused".formatted(epoch));
          case LOG_READ ->
              put(partition, "in epoch %s: its coupons are being rebuilt".formatted(epoch));
          case OPEN -> partitions.remove(partition);
        }
      }
      case RecoveryObservation.Stopped(var partition, var reason) ->
          put(partition, "has stopped: " + reason);
      case RecoveryObservation.RebuildProgress(var couponId, long rows, long most) ->
          put(couponId, "%,d of at most %,d rows are rebuilt".formatted(rows, most));
      case RecoveryObservation.CouponRebuilt rebuilt -> coupons.remove(rebuilt.couponId());
      case RecoveryObservation.CouponNotRebuilt(var couponId, _) ->
          put(couponId, "could not be rebuilt, and its claims are refused");
    }
  }

  private void put(Partition partition, String text) {
    partitions.put(partition, "Recovery of partition %d %s.".formatted(partition.number(), text));
  }

  private void put(CouponId couponId, String text) {
    if (coupons.size() < MOST || coupons.containsKey(couponId)) {
      coupons.put(couponId, "Coupon %s: %s.".formatted(couponId, text));
    }
  }
}
