package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How every database counts the user coupons of a coupon by their state at a time. */
public abstract class UserCouponCountsContract extends DatabaseContract {

  private static final Instant END = ACCEPTED_AT.plus(Duration.ofDays(1));
  private static final Currency EUR = Currency.getInstance("EUR");

  private static final Redemption REDEMPTION =
      new Redemption(new OrderId("order-1"), new Money(2_000, EUR), new Money(500, EUR));

  /** A coupon with user coupons in every state, valid until {@link #END}. */
  private Coupon couponWithAllStates(String couponId) {
    var coupon = defined(aCoupon().withId(couponId).endingAt(END));
    issued(coupon, "nothing", 1);
    var held = issued(coupon, "holds-beyond", 2);
    takeStep(held, held.hold(REDEMPTION, END.plusSeconds(1)));
    var heldBriefly = issued(coupon, "held", 3);
    takeStep(heldBriefly, heldBriefly.hold(REDEMPTION, ACCEPTED_AT.plusSeconds(1)));
    var used = issued(coupon, "used", 4);
    takeStep(used, used.use(REDEMPTION, ACCEPTED_AT));
    var expired = issued(coupon, "expired", 5);
    takeStep(expired, expired.expire());
    var returned = issued(coupon, "returned", 6);
    takeStep(returned, returned.giveBack(ACCEPTED_AT, true));
    var kept = issued(coupon, "returned-without-slot", 7);
    takeStep(kept, kept.giveBack(ACCEPTED_AT, false));
    var revoked = issued(coupon, "revoked", 8);
    takeStep(revoked, revoked.revoke("fraud", ACCEPTED_AT, true));
    return coupon;
  }

  private Issued issued(Coupon coupon, String user, int slot) {
    record(claim(coupon, user, slot));
    return (Issued) database().userCoupons().find(coupon.id(), user(user)).orElseThrow();
  }

  private Map<UserCouponState, Long> counts(Coupon coupon, Instant now) {
    return database().userCoupons().countByState(coupon.id(), now);
  }

  private static Map<UserCouponState, Long> of(long issued, long held, long expired) {
    return Map.of(
        UserCouponState.ISSUED,
        issued,
        UserCouponState.HELD,
        held,
        UserCouponState.USED,
        1L,
        UserCouponState.EXPIRED,
        expired,
        UserCouponState.RETURNED,
        2L,
        UserCouponState.REVOKED,
        1L);
  }

  @Test
  void each_user_coupon_is_counted_once_in_its_state_at_the_given_time() {
    var coupon = couponWithAllStates("COUNTED");
    couponWithAllStates("OTHER");

    assertThat(counts(coupon, ACCEPTED_AT)).isEqualTo(of(1, 2, 1));
    assertThat(counts(coupon, ACCEPTED_AT.plusSeconds(1))).isEqualTo(of(2, 1, 1));
    assertThat(counts(coupon, END.minusMillis(1))).isEqualTo(of(2, 1, 1));
    assertThat(counts(coupon, END)).isEqualTo(of(0, 1, 3));
    assertThat(counts(coupon, END.plusSeconds(1))).isEqualTo(of(0, 0, 4));
  }

  @Test
  void a_coupon_without_user_coupons_has_zero_for_every_state() {
    var coupon = defined(aCoupon());

    assertThat(counts(coupon, ACCEPTED_AT))
        .isEqualTo(
            Stream.of(UserCouponState.values()).collect(Collectors.toMap(state -> state, _ -> 0L)));
  }
}
