package io.firstcome.bootstrap.incident;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.observation.RecoveryObservation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** The recoveries that this instance runs, and those that have not succeeded. */
@Component
public class RunningRecoveries {

  /** More are not of use to a reader. */
  private static final int MOST = 20;

  private final Map<Partition, String> partitions = new LinkedHashMap<>();
  private final Map<CouponId, String> coupons = new LinkedHashMap<>();

  /**
   * A sentence about each, the latest last.
   *
   * @param isOpen whether a partition accepts claims: if another instance has opened it, it is
   *     recovered
   */
  public synchronized List<String> sentences(Predicate<Partition> isOpen) {
    return Stream.concat(
            partitions.entrySet().stream()
                .filter(entry -> !isOpen.test(entry.getKey()))
                .map(Map.Entry::getValue),
            coupons.values().stream())
        .limit(MOST)
        .toList();
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
