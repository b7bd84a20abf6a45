package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.usercoupon.EndRedemption;
import io.firstcome.application.usercoupon.ExpireUserCoupons;
import io.firstcome.application.usercoupon.ListUserCoupons;
import io.firstcome.application.usercoupon.QuoteUserCoupons;
import io.firstcome.application.usercoupon.RedemptionRefusal;
import io.firstcome.application.usercoupon.RedemptionRefusal.Reason;
import io.firstcome.application.usercoupon.ReturnRefusal;
import io.firstcome.application.usercoupon.TakeUserCoupon;
import io.firstcome.application.usercoupon.TakeUserCoupon.Order;
import io.firstcome.application.usercoupon.UserCouponAnswer;
import io.firstcome.application.usercoupon.UserCouponAnswer.Done;
import io.firstcome.application.usercoupon.UserCouponAnswer.Refused;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.audit.AuditEntry.Action;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.Redeemer;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The life of a coupon and its user coupons, from the first claim to the end of the validity.
 *
 * <p>The coupon has three slots and takes 5.00 EUR off orders of 20.00 EUR or more. A user coupon
 * is valid for 30 days from the claim. A returned slot is issued again.
 */
class CouponLifecycleScenarioTest {

  private static final Currency EUR = Currency.getInstance("EUR");
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static final Redeemer.Shop TILL =
      new Redeemer.Shop(new ShopId("berlin"), new UserId("till-7"));

  private final Instant start = Instant.now();
  private final Coupon coupon =
      aCoupon()
          .withTotal(3)
          .withDiscount(new Discount.Amount(new Money(500, EUR)))
          .withMinimumOrder(new Money(2_000, EUR))
          .withValidity(new Validity.Days(30))
          .opening(start, start.plus(Duration.ofDays(7)))
          .returningToStock()
          .build();
  private final InMemoryService service = InMemoryService.with(coupon);
  private final TakeUserCoupon takeUserCoupon =
      new TakeUserCoupon(service.catalog, service.database.userCoupons(), false, service.clock);
  private final EndRedemption endRedemption =
      new EndRedemption(service.database.userCoupons(), false, service.clock);

  @Test
  void from_the_first_claim_to_the_end_of_the_validity() {
    // The first three users get one slot each, in the order of their claims.
    assertThat(claim("ann")).isEqualTo(slot(1));
    assertThat(claim("bob")).isEqualTo(slot(2));
    assertThat(claim("cy")).isEqualTo(slot(3));
    assertThat(claimAnswer("dora")).isEqualTo(refused(new ClaimOutcome.SoldOut()));
    assertThat(statesOf("ann")).containsExactly(UserCouponState.ISSUED);

    // Ann requests the discount and holds her user coupon for an order, on which the shop uses it.
    assertThat(worth("ann", 1_999)).isNull();
    assertThat(worth("ann", 3_000)).isEqualTo(new Money(500, EUR));
    assertThat(take("ann", "order-1", TEN_MINUTES)).isInstanceOf(Done.class);
    assertThat(use("ann", "order-2")).isEqualTo(refused(Reason.HELD_BY_ANOTHER_ORDER));
    assertThat(use("ann", "order-1")).isInstanceOf(Done.class);
    assertThat(use("ann", "order-2")).isEqualTo(refused(Reason.ALREADY_USED));

    // Ann's order is cancelled, and her user coupon is used on another order.
    assertThat(endRedemption.undo(redemption("ann", "order-1"), "out of stock", TILL))
        .isInstanceOf(Done.class);
    assertThat(use("ann", "order-2")).isInstanceOf(Done.class);
    assertThat(statesOf("ann")).containsExactly(UserCouponState.USED);

    // Bob's hold is not used. It ends after ten minutes, and a till can take it.
    take("bob", "order-3", TEN_MINUTES);
    service.timePasses(TEN_MINUTES);
    assertThat(takeUserCoupon.take(idOf("bob"), order("order-4", TEN_MINUTES), TILL))
        .isInstanceOf(Done.class);
    assertThat(endRedemption.release(redemption("bob", "order-4"), TILL)).isInstanceOf(Done.class);

    // Cy returns his user coupon. Dora gets its slot, and Cy cannot claim again.
    assertThat(giveBack("cy")).isInstanceOf(Done.class);
    assertThat(claim("dora")).isEqualTo(slot(3));
    assertThat(claimAnswer("cy")).isEqualTo(refused(new ClaimOutcome.Returned()));

    // An operator revokes Dora's user coupon and closes the coupon.
    assertThat(service.revokeUserCoupon.revoke(idOf("dora"), "stolen account", OPERATOR))
        .isInstanceOf(Done.class);
    service.changeCoupon.change(coupon.id(), Coupon::close, OPERATOR);
    assertThat(claimAnswer("eve")).isEqualTo(refused(new ClaimOutcome.Closed()));

    // After 30 days Bob's user coupon is expired, before and after that is recorded.
    service.timePasses(Duration.ofDays(30));
    assertThat(statesOf("bob")).containsExactly(UserCouponState.EXPIRED);
    assertThat(use("bob", "order-5")).isEqualTo(refused(Reason.EXPIRED));
    var expireUserCoupons =
        new ExpireUserCoupons(
            service.database.userCoupons(),
            ClocksForTests.same(service.clock),
            service.limits.userCoupons());
    assertThat(expireUserCoupons.expireOverdue()).isEqualTo(1);
    assertThat(worth("bob", 3_000)).isNull();

    // Every change is in the audit, and stock and database agree.
    assertThat(actionsOn("bob"))
        .containsExactly(Action.HOLD, Action.HOLD, Action.RELEASE, Action.EXPIRE);
    assertThat(actionsOn("cy")).containsExactly(Action.GIVE_BACK);
    assertThat(actionsOn("dora")).containsExactly(Action.REVOKE);
    assertThat(service.proof(coupon).exact()).isTrue();
    assertThat(service.proof(coupon).slotsUsed()).isEqualTo(2);
  }

  private static Slot slot(int number) {
    return new Slot(number);
  }

  private static ClaimAnswer refused(ClaimOutcome.Refusal reason) {
    return new ClaimAnswer.Refused(reason);
  }

  private static UserCouponAnswer<RedemptionRefusal> refused(Reason reason) {
    return new Refused<>(reason);
  }

  private ClaimAnswer claimAnswer(String user) {
    return service.claim(coupon, user);
  }

  /** Claims, records the claim, and returns the slot of the row. */
  private Slot claim(String user) {
    assertThat(claimAnswer(user)).isInstanceOf(ClaimAnswer.Accepted.class);
    service.relayAndRecord();
    return service.row(coupon, user).orElseThrow().slot();
  }

  private List<UserCouponState> statesOf(String user) {
    return new ListUserCoupons(service.database.userCoupons(), service.clock)
        .page(new UserId(user), null, null, 10).items().stream()
            .map(userCoupon -> userCoupon.state())
            .toList();
  }

  private @Nullable Money worth(String user, long minorUnits) {
    return new QuoteUserCoupons(service.catalog, service.database.userCoupons(), service.clock)
        .quote(new UserId(user), new OrderId("order-0"), new Money(minorUnits, EUR))
        .best()
        .map(offer -> offer.discount())
        .orElse(null);
  }

  private static Order order(String orderId, @Nullable Duration hold) {
    return new Order(new OrderId(orderId), new Money(3_000, EUR), hold);
  }

  private UserCouponAnswer<RedemptionRefusal> take(
      String user, String orderId, @Nullable Duration hold) {
    return takeUserCoupon.take(
        idOf(user), order(orderId, hold), new Redeemer.Owner(new UserId(user)));
  }

  private UserCouponAnswer<RedemptionRefusal> use(String user, String orderId) {
    return takeUserCoupon.take(idOf(user), order(orderId, null), TILL);
  }

  private UserCouponAnswer<ReturnRefusal> giveBack(String user) {
    return service.giveBackUserCoupon.giveBack(idOf(user), customer(user));
  }

  private static Actor customer(String user) {
    return Actor.customer(new UserId(user));
  }

  private RedemptionId redemption(String user, String orderId) {
    return new RedemptionId(idOf(user), new OrderId(orderId));
  }

  private UserCouponId idOf(String user) {
    return CouponFixtures.codeKeys()
        .identityOf(coupon.codeKeyVersion(), coupon.id(), new UserId(user))
        .id();
  }

  /** Oldest first. */
  private List<Action> actionsOn(String user) {
    return service.database.audit().ofUserCoupon(idOf(user), null, 10).reversed().stream()
        .map(kept -> kept.entry().action())
        .toList();
  }
}
