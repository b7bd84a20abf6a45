package io.firstcome.application.usercoupon;

import io.firstcome.application.usercoupon.TakeUserCoupon.Order;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.port.WrongCodes;
import io.firstcome.domain.shop.CodeSource;
import io.firstcome.domain.shop.CodeSource.Kind;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.Redeemer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A shop takes the user coupon whose code a customer shows. Too many wrong codes lock their source
 * out until their window is over, since a code alone is enough to use a coupon. Sources are the
 * shop's customer and the customer's address, where the shop states them, and the shop itself. The
 * limit of the shop is so much higher that one customer cannot lock out the others.
 *
 * <p>Only wrong codes are written, so a till without wrong codes costs one read. Of concurrent
 * calls from one source at most its limit get the answer that their code is wrong.
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
     * Too many wrong codes came from one of the sources. Nothing happened, whether or not this code
     * is right.
     *
     * @param left until it may retry
     */
    record LockedOut(Duration left) implements Result {}
  }

  /**
   * Who shows the code.
   *
   * @param customer whom the shop serves, by its own id; or null
   * @param address of the customer's device; or null
   */
  public record Presenter(@Nullable String customer, @Nullable String address) {

    private List<CodeSource> sources(ShopId shop) {
      var sources = new ArrayList<CodeSource>();
      sources.add(CodeSource.of(shop));
      if (customer != null) {
        sources.add(new CodeSource(shop, Kind.CUSTOMER, customer));
      }
      if (address != null) {
        sources.add(new CodeSource(shop, Kind.ADDRESS, address));
      }
      return sources;
    }
  }

  /**
   * Takes the user coupon of the code for the order, as {@link TakeUserCoupon#take} does.
   *
   * @param typed the code as it was typed
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write; a retry is safe, but a wrong code may be counted twice
   */
  public Result take(String typed, Order order, Presenter presenter, Redeemer.Shop shop) {
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    var sources = presenter.sources(shop.id());
    var lockedOut = lockOut(wrongCodes.find(sources), now, 0);
    if (lockedOut.isPresent()) {
      return lockedOut.get();
    }
    var found = parse(typed).flatMap(userCoupons::find);
    if (found.isPresent()) {
      return new Result.Known(takeUserCoupon.take(found.get(), order, shop));
    }
    return lockOut(wrongCodes.add(sources, now, limits.wrongCodesWindow()), now, 1)
        .<Result>map(lockOut -> lockOut)
        .orElseGet(Result.UnknownCode::new);
  }

  /**
   * The longest lock-out by these counts.
   *
   * @param own how many of each count are this call's
   */
  private Optional<Result.LockedOut> lockOut(
      Map<CodeSource, WrongCodes.Count> counts, Instant now, int own) {
    return counts.entrySet().stream()
        .filter(one -> one.getValue().number() - own >= limit(one.getKey()))
        .map(one -> left(one.getValue(), now))
        .filter(Duration::isPositive)
        .max(Comparator.naturalOrder())
        .map(Result.LockedOut::new);
  }

  private int limit(CodeSource source) {
    return source.kind() == Kind.SHOP ? limits.wrongCodesOfShop() : limits.wrongCodes();
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
