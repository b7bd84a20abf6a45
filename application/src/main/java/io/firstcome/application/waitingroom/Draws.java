package io.firstcome.application.waitingroom;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.BoundedMaps;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.waitingroom.Draw;
import io.firstcome.domain.waitingroom.DrawSeed;
import java.util.concurrent.ConcurrentMap;

/** The draws of waiting rooms, which each instance computes from the coupon's code key. */
final class Draws {

  /** Less than a kilobyte each. */
  private static final int MAX_DRAWS = 1_000;

  private final CodeKeys codeKeys;
  private final ConcurrentMap<CouponId, Draw> prepared;

  Draws(CodeKeys codeKeys, BoundedMaps maps) {
    this.codeKeys = codeKeys;
    this.prepared = maps.create(MAX_DRAWS);
  }

  /**
   * The seed of the coupon's draw.
   *
   * @throws io.firstcome.domain.usercoupon.MissingCodeKeyException if the coupon's key is not
   *     installed
   */
  DrawSeed seed(Coupon coupon) {
    return DrawSeed.of(coupon, codeKeys);
  }

  /**
   * The place of a ticket after the draw.
   *
   * @param drawn among how many tickets the order was drawn; later tickets stand behind them
   * @throws io.firstcome.domain.usercoupon.MissingCodeKeyException if the coupon's key is not
   *     installed
   */
  int placeOf(int ticket, Coupon coupon, int drawn) {
    if (ticket > drawn) {
      return ticket;
    }
    var draw = prepared.get(coupon.id());
    if (draw == null || draw.tickets() != drawn) {
      draw = new Draw(seed(coupon), drawn);
      prepared.put(coupon.id(), draw);
    }
    return draw.placeOf(ticket);
  }
}
