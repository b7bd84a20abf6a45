package io.firstcome.application.coupon;

import io.firstcome.application.stock.FreeSlots;
import io.firstcome.application.stock.PassedOver;
import io.firstcome.domain.coupon.Coupon;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads how much is left of the coupons that can be claimed. */
public final class ReadOpenCoupons {

  private final OpenCoupons openCoupons;
  private final FreeSlots freeSlots;
  private final InstantSource clock;

  public ReadOpenCoupons(OpenCoupons openCoupons, FreeSlots freeSlots, InstantSource clock) {
    this.openCoupons = openCoupons;
    this.freeSlots = freeSlots;
    this.clock = clock;
  }

  /**
   * An open coupon.
   *
   * @param remaining slots that can still be claimed, as in {@link FreeSlots#of}
   * @param openFor since it opened
   */
  public record OpenCoupon(Coupon coupon, Optional<Integer> remaining, Duration openFor) {}

  /**
   * The coupons that have opened last.
   *
   * @param max number of them
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if none were read yet and the
   *     database is not reachable
   */
  public List<OpenCoupon> latest(int max) {
    var latest =
        openCoupons.list().stream()
            .sorted(
                Comparator.comparing(ReadOpenCoupons::opensAt).reversed().thenComparing(Coupon::id))
            .limit(max)
            .toList();
    var now = clock.instant();
    var passedOver = new PassedOver();
    var read = new ArrayList<OpenCoupon>();
    for (var coupon : latest) {
      read.add(
          new OpenCoupon(
              coupon, freeSlots.of(coupon, passedOver), Duration.between(opensAt(coupon), now)));
    }
    return read;
  }

  private static Instant opensAt(Coupon coupon) {
    return coupon.definition().window().opensAt();
  }
}
