package io.firstcome.application.usercoupon;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.usercoupon.RedemptionRefusal.Reason;
import io.firstcome.application.usercoupon.UserCouponSteps.Decision;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Worth;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.Redeemer;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes a user coupon for an order: holds it for a time, or uses it at once. */
public final class TakeUserCoupon {

  private final CouponCatalog catalog;
  private final UserCouponSteps steps;
  private final boolean ownersUse;

  /**
   * @param ownersUse whether owners can use user coupons without a shop
   */
  public TakeUserCoupon(
      CouponCatalog catalog,
      UserCouponRepository userCoupons,
      boolean ownersUse,
      InstantSource clock) {
    this.catalog = catalog;
    this.steps = new UserCouponSteps(userCoupons, clock);
    this.ownersUse = ownersUse;
  }

  /**
   * The order that a user coupon is taken for.
   *
   * @param amount of the order
   * @param hold how long it is to be held, {@link #SHORTEST_HOLD} to {@link #LONGEST_HOLD}, or null
   *     to use it at once
   */
  public record Order(OrderId orderId, Money amount, @Nullable Duration hold) {

    public static final Duration SHORTEST_HOLD = Duration.ofSeconds(1);

    /** Longer than any checkout; it ends a hold that is never released. */
    public static final Duration LONGEST_HOLD = Duration.ofDays(1);

    public Order {
      if (hold != null && (hold.compareTo(SHORTEST_HOLD) < 0 || hold.compareTo(LONGEST_HOLD) > 0)) {
        throw new IllegalArgumentException(
            "hold must be %s to %s: %s".formatted(SHORTEST_HOLD, LONGEST_HOLD, hold));
      }
      hold = hold == null ? null : Duration.ofMillis(hold.toMillis());
    }

    private boolean isOf(Redemption redemption) {
      return redemption.orderId().equals(orderId);
    }
  }

  /**
   * Takes the user coupon for the order. Idempotent. A use by the order that holds it confirms the
   * hold. A shop takes over its owner's hold for the same order, with the shop's amount.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write; a retry is safe
   */
  public UserCouponAnswer<RedemptionRefusal> take(UserCouponId id, Order order, Redeemer by) {
    return steps.take(id, by.actor(), (now, time) -> decide(now, order, by, time));
  }

  /** The same for a user coupon that was read for this request. */
  UserCouponAnswer<RedemptionRefusal> take(UserCoupon read, Order order, Redeemer by) {
    return steps.take(Optional.of(read), by.actor(), (now, time) -> decide(now, order, by, time));
  }

  private Decision<RedemptionRefusal> decide(
      UserCoupon now, Order order, Redeemer by, Instant time) {
    if (by instanceof Redeemer.Owner && order.hold() == null && !ownersUse) {
      return refuse(Reason.ONLY_SHOPS_USE);
    }
    return switch (now) {
      case UserCoupon.Issued issued when !issued.canBeTaken() -> refuse(Reason.TAKEN_TOO_OFTEN);
      case UserCoupon.Issued issued ->
          redeemed(
              issued,
              order,
              by,
              redemption ->
                  order.hold() == null
                      ? issued.use(redemption, time)
                      : issued.hold(redemption, time.plus(order.hold())));
      case UserCoupon.Held held when !order.isOf(held.redemption()) ->
          refuse(Reason.HELD_BY_ANOTHER_ORDER);
      case UserCoupon.Held held when isTakenOver(held.redemption(), by) ->
          redeemed(
              held,
              order,
              by,
              redemption ->
                  order.hold() == null
                      ? held.use(redemption, time)
                      : held.hold(redemption, time.plus(order.hold())));
      case UserCoupon.Held held when !by.mayEnd(held.redemption()) ->
          refuse(takenByOther(by, Reason.HELD_BY_ANOTHER_ORDER));
      case UserCoupon.Held held when !order.amount().equals(held.redemption().order()) ->
          refuse(Reason.OTHER_AMOUNT);
      case UserCoupon.Held held when order.hold() == null ->
          new Decision.Become<>(held.confirm(time));
      case UserCoupon.Used used when !order.isOf(used.redemption()) -> refuse(Reason.ALREADY_USED);
      case UserCoupon.Used used when !by.mayEnd(used.redemption()) ->
          refuse(takenByOther(by, Reason.ALREADY_USED));
      case UserCoupon.Used used when !order.amount().equals(used.redemption().order()) ->
          refuse(Reason.OTHER_AMOUNT);
      case UserCoupon.Held _, UserCoupon.Used _ -> new Decision.Stay<>();
      case UserCoupon.Expired _ -> refuse(Reason.EXPIRED);
      case UserCoupon.Returned _, UserCoupon.Revoked _ -> refuse(Reason.NOT_USABLE);
    };
  }

  private Decision<RedemptionRefusal> redeemed(
      UserCoupon now, Order order, Redeemer by, Function<Redemption, UserCoupon> step) {
    return switch (catalog.of(now).worthOn(order.amount())) {
      case Worth.Nothing(var reason) ->
          new Decision.Refuse<>(new RedemptionRefusal.NotApplicable(reason));
      case Worth.Off(Money discount) ->
          new Decision.Become<>(
              step.apply(new Redemption(order.orderId(), order.amount(), discount, shop(by))));
    };
  }

  private static boolean isTakenOver(Redemption current, Redeemer by) {
    return current.shop() == null && by instanceof Redeemer.Shop;
  }

  private static @Nullable ShopId shop(Redeemer by) {
    return switch (by) {
      case Redeemer.Shop shop -> shop.id();
      case Redeemer.Owner _, Redeemer.Operator _ -> null;
    };
  }

  /** Two shops may give the same id to different orders. */
  private static Reason takenByOther(Redeemer by, Reason byAnotherOrder) {
    return by instanceof Redeemer.Owner ? Reason.TAKEN_BY_SHOP : byAnotherOrder;
  }

  private static Decision<RedemptionRefusal> refuse(Reason reason) {
    return new Decision.Refuse<>(reason);
  }
}
