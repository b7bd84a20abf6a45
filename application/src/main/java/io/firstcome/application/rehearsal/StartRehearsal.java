package io.firstcome.application.rehearsal;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponSection;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** An operator starts a rehearsal, of which at most one is in progress. */
public final class StartRehearsal {

  private static final int COUPONS = 50;

  /** After the last claim: until it is answered, recorded and removed. */
  private static final Duration REST = Duration.ofMinutes(3);

  private final Rehearsals rehearsals;
  private final CouponRepository coupons;
  private final Crowd crowd;
  private final Supplier<CouponId> ids;
  private final String instance;
  private final InstantSource clock;

  /**
   * @param ids gives a new id of a clone with each call, which cannot be guessed
   * @param instance this instance, which sends the claims
   */
  public StartRehearsal(
      Rehearsals rehearsals,
      CouponRepository coupons,
      Crowd crowd,
      Supplier<CouponId> ids,
      String instance,
      InstantSource clock) {
    this.rehearsals = rehearsals;
    this.coupons = coupons;
    this.crowd = crowd;
    this.ids = ids;
    this.instance = instance;
    this.clock = clock;
  }

  /** A coupon that customers can claim now, or before the rehearsal has ended. */
  private Optional<Coupon> openDuring(RehearsalPlan plan, Instant now) {
    var end = now.plus(plan.arrival().duration()).plus(REST);
    var next =
        coupons.ofSection(CouponSection.SCHEDULED, now, "", 0, 1).stream()
            .map(StoredCoupon::coupon)
            .filter(coupon -> coupon.definition().window().opensAt().isBefore(end));
    return Stream.concat(coupons.open(now, null, COUPONS).stream(), next)
        .filter(coupon -> !coupon.id().isOfRehearsal())
        .findFirst();
  }

  /** The result of an operator's request. */
  public sealed interface Result {

    /** It has started; {@link RunRehearsal} must run it. */
    record Started(Rehearsal rehearsal) implements Result {}

    /** Another one is in progress, or what it has issued is still being removed. */
    record InProgress() implements Result {}

    /**
     * Customers can claim a coupon now or soon, and the request does not allow a rehearsal beside
     * it.
     */
    record OpenCoupon(CouponId couponId) implements Result {}

    /** An archived coupon is not rehearsed. */
    record Archived() implements Result {}

    /** This deployment cannot rehearse, for this reason. */
    record Impossible(String reason) implements Result {}

    /** There is no such coupon. */
    record Unknown() implements Result {}
  }

  /**
   * Starts it.
   *
   * @param besideOpenCoupons whether it may take capacity from coupons that customers can claim now
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     it
   */
  public Result start(RehearsalPlan plan, boolean besideOpenCoupons, Actor actor) {
    var obstacle = crowd.obstacle();
    if (!obstacle.isEmpty()) {
      return new Result.Impossible(obstacle);
    }
    var planned = coupons.find(plan.couponId()).orElse(null);
    if (planned == null || planned.id().isOfRehearsal()) {
      return new Result.Unknown();
    }
    if (planned.status() == CouponStatus.ARCHIVED) {
      return new Result.Archived();
    }
    var now = clock.instant();
    if (!besideOpenCoupons) {
      var open = openDuring(plan, now);
      if (open.isPresent()) {
        return new Result.OpenCoupon(open.get().id());
      }
    }
    return rehearsals
        .start(plan, ids.get(), instance, actor, now)
        .<Result>map(Result.Started::new)
        .orElseGet(Result.InProgress::new);
  }
}
