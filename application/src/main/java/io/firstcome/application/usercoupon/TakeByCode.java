package io.firstcome.application.usercoupon;

import io.firstcome.application.usercoupon.TakeUserCoupon.Order;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.port.WrongCodes;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.CouponCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A shop takes the user coupon whose code a customer shows. A caller with too many wrong codes is
 * locked out until their window is over, since a code alone is enough to use a coupon.
 *
 * <p>Only wrong codes are written, so a till without wrong codes costs one read. Of concurrent
 * calls at most {@code limits.wrongCodes()} get the answer that their code is wrong.
 */
public final class TakeByCode {

  private final TakeUserCoupon takeUserCoupon;
  private final UserCouponRepository userCoupons;
  private final WrongCodes wrongCodes;
  private final InstantSource clock;
  private final UserCouponLimits limits;

  public TakeByCode(
      TakeUserCoupon takeUserCoupon,
      UserCouponRepository userCoupons,
      WrongCodes wrongCodes,
      InstantSource clock,
      UserCouponLimits limits) {
    this.takeUserCoupon = takeUserCoupon;
    this.userCoupons = userCoupons;
    this.wrongCodes = wrongCodes;
    this.clock = clock;
    this.limits = limits;
  }

  /** The result of taking a user coupon by code. */
  public sealed interface Result {

    /** A user coupon has the code; the answer to the request to take it. */
    record Known(UserCouponAnswer<RedemptionRefusal> answer) implements Result {}

    /** No user coupon has the code, or it is not a code. */
    record UnknownCode() implements Result {}

    /**
     * The shop has tried too many wrong codes. Nothing happened, whether or not this code is right.
     *
     * @param left until it may retry
     */
    record LockedOut(Duration left) implements Result {}
  }

  /**
   * Takes the user coupon of the code for the order, as {@link TakeUserCoupon#take} does.
   *
   * @param typed the code as it was typed
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write; a retry is safe, but a wrong code may be counted twice
   */
  public Result take(String typed, Order order, UserId shop) {
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    var before = wrongCodes.find(shop).orElse(null);
    if (before != null
        && before.number() >= limits.wrongCodes()
        && left(before, now).isPositive()) {
      return new Result.LockedOut(left(before, now));
    }
    var found = parse(typed).flatMap(userCoupons::find);
    if (found.isPresent()) {
      return new Result.Known(takeUserCoupon.take(found.get(), order, Actor.shop(shop)));
    }
    var counted = wrongCodes.add(shop, now, limits.wrongCodesWindow());
    return counted.number() > limits.wrongCodes()
        ? new Result.LockedOut(left(counted, now))
        : new Result.UnknownCode();
  }

  private static Optional<CouponCode> parse(String typed) {
    try {
      return Optional.of(CouponCode.parse(typed));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private Duration left(WrongCodes.Count count, Instant now) {
    return Duration.between(now, count.since().plus(limits.wrongCodesWindow()));
  }
}
