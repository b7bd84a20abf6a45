package io.firstcome.bootstrap.incident;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.instance.RecoveryStatus;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.observation.Completion;
import io.firstcome.domain.observation.RecoveryObservation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The recoveries that this instance runs, and those that have not succeeded. */
@Component
public class RunningRecoveries {

  /** More are not of use to a reader. */
  private static final int MOST = 20;

  private final Map<Partition, RecoveryStatus> partitions = new LinkedHashMap<>();
  private final Map<CouponId, OfCoupon> coupons = new LinkedHashMap<>();

  /**
   * A coupon that is being rebuilt, or was not rebuilt.
   *
   * @param failedIn the epoch in which it was not rebuilt; null while it is being rebuilt
   */
  private record OfCoupon(Partition partition, @Nullable Epoch failedIn, RecoveryStatus status) {

    /** Whether it has another state by now, as its partition accepts claims in that epoch. */
    boolean isOutdatedIn(Epoch open) {
      return failedIn == null ? !open.equals(Epoch.NONE) : open.isAfter(failedIn);
    }
  }

  /**
   * How far each is, the latest last. Forgets those that other instances have completed.
   *
   * @param openEpoch the epoch in which a partition accepts claims, {@link Epoch#NONE} if it
   *     accepts none
   */
  public synchronized List<RecoveryStatus> list(Function<Partition, Epoch> openEpoch) {
    partitions.keySet().removeIf(partition -> !openEpoch.apply(partition).equals(Epoch.NONE));
    coupons.values().removeIf(coupon -> coupon.isOutdatedIn(openEpoch.apply(coupon.partition())));
    return Stream.concat(
            partitions.values().stream(), coupons.values().stream().map(OfCoupon::status))
        .limit(MOST)
        .toList();
  }

  /** Notes how far a recovery is. */
  public synchronized void note(RecoveryObservation observation) {
    switch (observation) {
      case RecoveryObservation.StepDone(var partition, var epoch, var step) -> {
        switch (step) {
          case EPOCH_RAISED -> {
            coupons.values().removeIf(coupon -> coupon.partition().equals(partition));
            begin(partition, epoch);
          }
          case FENCED, LOG_READ -> begin(partition, epoch);
          case OPEN -> partitions.remove(partition);
        }
      }
      case RecoveryObservation.Stopped(var partition, var reason) ->
          put(partition, "has stopped: " + reason, null);
      case RecoveryObservation.PartitionProgress(var partition, var epoch, var rebuilt) ->
          put(
              partition,
              "in epoch %s: %,d of %,d coupons are rebuilt%s"
                  .formatted(epoch, rebuilt.done(), rebuilt.all(), left("about", rebuilt)),
              rebuilt.percent());
      case RecoveryObservation.CouponProgress(var couponId, var partition, var rows) ->
          put(
              couponId,
              partition,
              null,
              "%,d of at most %,d rows are rebuilt%s"
                  .formatted(rows.done(), rows.all(), left("at most", rows)),
              rows.percent());
      case RecoveryObservation.CouponRebuilt rebuilt -> coupons.remove(rebuilt.couponId());
      case RecoveryObservation.CouponNotRebuilt(var couponId, var partition, var epoch, _) ->
          put(couponId, partition, epoch, "could not be rebuilt, and its claims are refused", null);
    }
  }

  private static String left(String precision, Completion completion) {
    return completion
        .left()
        .map(left -> ", %s %,d s are left".formatted(precision, left.toSeconds()))
        .orElse("");
  }

  private void begin(Partition partition, Epoch epoch) {
    put(partition, "in epoch %s: claims are refused".formatted(epoch), null);
  }

  private void put(Partition partition, String text, @Nullable Integer percent) {
    var sentence = "Recovery of partition %d %s.".formatted(partition.number(), text);
    partitions.put(partition, new RecoveryStatus(sentence, percent));
  }

  private void put(
      CouponId couponId,
      Partition partition,
      @Nullable Epoch failedIn,
      String text,
      @Nullable Integer percent) {
    if (coupons.size() < MOST || coupons.containsKey(couponId)) {
      var status = new RecoveryStatus("Coupon %s: %s.".formatted(couponId, text), percent);
      coupons.put(couponId, new OfCoupon(partition, failedIn, status));
    }
  }
}
