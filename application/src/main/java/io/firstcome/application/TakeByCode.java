package io.firstcome.application;

import io.firstcome.application.TakeUserCoupon.Order;
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
 * A shop takes the user coupon whose code a customer shows. Who tries too many wrong codes is
 * locked out for the rest of the time they are counted in: a code is all that whoever has it needs.
 *
 * <p>Only wrong codes are written down, so a till that makes no mistakes costs one read. Of calls
 * at the same time no more than {@code limits.wrongCodes()} are told that their code is wrong.
 */
public final class TakeByCode {

  private final TakeUserCoupon takeUserCoupon;
  private final UserCouponRepository userCoupons;
  private final WrongCodes wrongCodes;
  private final InstantSource clock;
  private final ApplicationLimits limits;

  public TakeByCode(
      TakeUserCoupon takeUserCoupon,
      UserCouponRepository userCoupons,
      WrongCodes wrongCodes,
      InstantSource clock,
      ApplicationLimits limits) {
    this.takeUserCoupon = takeUserCoupon;
    this.userCoupons = userCoupons;
    this.wrongCodes = wrongCodes;
    this.clock = clock;
    this.limits = limits;
  }

  /** What comes of it. */
  public sealed interface Result {

    /** Somebody has the code, and this is what became of the wish to take it. */
    record Known(UserCouponAnswer answer) implements Result {}

    /** Nobody has the code, or it cannot be one. */
    record UnknownCode() implements Result {}

    /**
     * The shop has tried too many wrong codes. Nothing is said of this one, and nothing happened.
     *
     * @param left until it may try again
     */
    record LockedOut(Duration left) implements Result {}
  }

  /**
   * Takes the user coupon of the code for the order, as {@link TakeUserCoupon#take} does.
   *
   * @param typed the code as somebody typed it
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not say that
   *     it is recorded; asking again is safe, but a wrong code may be counted twice
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
      return new Result.Known(takeUserCoupon.take(found.get().id(), order, Actor.shop(shop)));
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
