package io.firstcome.application.rehearsal;

import io.firstcome.application.archive.ArchiveCoupon;
import io.firstcome.application.coupon.ChangeCoupon;
import io.firstcome.application.coupon.DefineCoupon;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Defines and archives the clones of rehearsals. Both throw {@link
 * io.firstcome.domain.port.ServerUnavailableException} if a server is not reachable.
 */
public final class RehearsalClones {

  private static final Duration OPEN_SINCE = Duration.ofMinutes(1);

  /** Far longer than a crowd takes. */
  private static final Duration OPEN_FOR = Duration.ofHours(2);

  private final DefineCoupon defineCoupon;
  private final ChangeCoupon changeCoupon;
  private final ArchiveCoupon archiveCoupon;
  private final InstantSource clock;

  public RehearsalClones(
      DefineCoupon defineCoupon,
      ChangeCoupon changeCoupon,
      ArchiveCoupon archiveCoupon,
      InstantSource clock) {
    this.defineCoupon = defineCoupon;
    this.changeCoupon = changeCoupon;
    this.archiveCoupon = archiveCoupon;
    this.clock = clock;
  }

  /** Whether the clone of the planned coupon was defined, and can be claimed. */
  boolean define(Rehearsal rehearsal, Coupon planned) {
    var defined =
        defineCoupon.defineForRehearsal(
            definition(rehearsal, planned.definition()), planned.stockBackend(), rehearsal.actor());
    return defined instanceof DefineCoupon.Result.Defined;
  }

  /** Open since a while, so that the clocks of the servers need not agree. */
  private CouponDefinition definition(Rehearsal rehearsal, CouponDefinition planned) {
    var opensAt = clock.instant().minus(OPEN_SINCE);
    return new CouponDefinition(
        rehearsal.cloneId(),
        "Rehearsal of " + planned.couponId(),
        rehearsal.plan().quantity(),
        planned.discount(),
        planned.minimumOrder(),
        new IssuanceWindow(opensAt, opensAt.plus(OPEN_FOR)),
        new Validity.Days(1),
        false,
        null,
        null);
  }

  /**
   * Closes and archives the clone, if there is one. Claims that are not recorded yet keep it from
   * being archived for a while.
   */
  void archive(CouponId cloneId) {
    changeCoupon.change(cloneId, Coupon::close, Actor.REHEARSAL);
    archiveCoupon.archive(cloneId, Actor.REHEARSAL);
  }
}
