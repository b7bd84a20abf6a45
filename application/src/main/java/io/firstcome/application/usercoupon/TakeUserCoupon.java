package io.firstcome.application.usercoupon;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.usercoupon.RedemptionRefusal.Reason;
import io.firstcome.application.usercoupon.UserCouponSteps.Decision;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Worth;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.OrderId;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes a user coupon for an order: holds it for a time, or uses it at once. */
public final class TakeUserCoupon {

  private final CouponCatalog catalog;
  private final UserCouponSteps steps;

  public TakeUserCoupon(
      CouponCatalog catalog, UserCouponRepository userCoupons, InstantSource clock) {
    this.catalog = catalog;
    this.steps = new UserCouponSteps(userCoupons, clock);
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
   * hold.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write; a retry is safe
   */
  public UserCouponAnswer<RedemptionRefusal> take(UserCouponId id, Order order, Actor actor) {
    return steps.take(id, actor, (now, time) -> decide(now, order, time));
  }

  /** The same for a user coupon that was read for this request. */
  UserCouponAnswer<RedemptionRefusal> take(UserCoupon read, Order order, Actor actor) {
    return steps.take(Optional.of(read), actor, (now, time) -> decide(now, order, time));
  }

  private Decision<RedemptionRefusal> decide(UserCoupon now, Order order, Instant time) {
    return switch (now) {
      case UserCoupon.Issued issued -> decide(issued, order, time);
      case UserCoupon.Held held when !order.isOf(held.redemption()) ->
          refuse(Reason.HELD_BY_ANOTHER_ORDER);
      case UserCoupon.Held held when !order.amount().equals(held.redemption().order()) ->
          refuse(Reason.OTHER_AMOUNT);
      case UserCoupon.Held held when order.hold() == null ->
          new Decision.Become<>(held.confirm(time));
      case UserCoupon.Used used when !order.isOf(used.redemption()) -> refuse(Reason.ALREADY_USED);
      case UserCoupon.Used used when !order.amount().equals(used.redemption().order()) ->
          refuse(Reason.OTHER_AMOUNT);
      case UserCoupon.Held _, UserCoupon.Used _ -> new Decision.Stay<>();
      case UserCoupon.Expired _ -> refuse(Reason.EXPIRED);
      case UserCoupon.Returned _, UserCoupon.Revoked _ -> refuse(Reason.NOT_USABLE);
    };
  }

  private Decision<RedemptionRefusal> decide(UserCoupon.Issued issued, Order order, Instant time) {
    if (!issued.canBeTaken()) {
      return refuse(Reason.TAKEN_TOO_OFTEN);
    }
    return switch (catalog.of(issued).worthOn(order.amount())) {
      case Worth.Nothing(var reason) ->
          new Decision.Refuse<>(new RedemptionRefusal.NotApplicable(reason));
      case Worth.Off(Money discount) -> {
        var redemption = new Redemption(order.orderId(), order.amount(), discount);
        var hold = order.hold();
        yield new Decision.Become<>(
            hold == null ? issued.use(redemption, time) : issued.hold(redemption, time.plus(hold)));
      }
    };
  }

  private static Decision<RedemptionRefusal> refuse(Reason reason) {
    return new Decision.Refuse<>(reason);
  }
}
