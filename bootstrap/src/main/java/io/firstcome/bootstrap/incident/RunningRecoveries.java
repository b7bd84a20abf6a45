package io.firstcome.bootstrap.incident;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.instance.RecoveryStatus;
import io.firstcome.domain.observation.Completion;
import io.firstcome.domain.observation.RecoveryObservation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The recoveries that this instance runs, and those that have not succeeded. */
@Component
public class RunningRecoveries {

  /** More are not of use to a reader. */
  private static final int MOST = 20;

  private final Map<Partition, RecoveryStatus> partitions = new LinkedHashMap<>();
  private final Map<CouponId, RecoveryStatus> coupons = new LinkedHashMap<>();

  /**
   * How far each is, the latest last.
   *
   * @param isOpen whether a partition accepts claims: if another instance has opened it, it is
   *     recovered
   */
  public synchronized List<RecoveryStatus> list(Predicate<Partition> isOpen) {
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
          case EPOCH_RAISED, FENCED, LOG_READ ->
              put(partition, "in epoch %s: claims are refused".formatted(epoch), null);
          case OPEN -> partitions.remove(partition);
        }
      }
      case RecoveryObservation.Stopped(var partition, var reason) ->
          put(partition, "has stopped: " + reason, null);
      case RecoveryObservation.PartitionProgress(var partition, var epoch, var coupons) ->
          put(
              partition,
              "in epoch %s: %,d of %,d coupons are rebuilt%s"
                  .formatted(epoch, coupons.done(), coupons.all(), left(coupons)),
              coupons.percent());
      case RecoveryObservation.CouponProgress(var couponId, var rows) ->
          put(
              couponId,
              "%,d of at most %,d rows are rebuilt%s"
                  .formatted(rows.done(), rows.all(), left(rows)),
              rows.percent());
      case RecoveryObservation.CouponRebuilt rebuilt -> coupons.remove(rebuilt.couponId());
      case RecoveryObservation.CouponNotRebuilt(var couponId, _) ->
          put(couponId, "could not be rebuilt, and its claims are refused", null);
    }
  }

  private static String left(Completion completion) {
    return completion
        .left()
        .map(left -> ", about %,d s are left".formatted(left.toSeconds()))
        .orElse("");
  }

  private void put(Partition partition, String text, @Nullable Integer percent) {
    var sentence = "Recovery of partition %d %s.".formatted(partition.number(), text);
    partitions.put(partition, new RecoveryStatus(sentence, percent));
  }

  private void put(CouponId couponId, String text, @Nullable Integer percent) {
    if (coupons.size() < MOST || coupons.containsKey(couponId)) {
      var sentence = "Coupon %s: %s.".formatted(couponId, text);
      coupons.put(couponId, new RecoveryStatus(sentence, percent));
    }
  }
}
