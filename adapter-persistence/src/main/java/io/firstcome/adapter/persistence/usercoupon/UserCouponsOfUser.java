package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static org.jooq.impl.DSL.noCondition;

import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponCursor;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Instant;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads the user coupons of one user, newest first, in one statement each. All rows of the user are
 * sorted for each page: a user has at most one of each coupon.
 */
final class UserCouponsOfUser {

  private final DSLContext dsl;
  private final UserId owner;

  UserCouponsOfUser(DSLContext dsl, UserId owner) {
    this.dsl = dsl;
    this.owner = owner;
  }

  List<UserCoupon> page(
      @Nullable UserCouponState state, Instant now, @Nullable UserCouponCursor after, int max) {
    return UserCouponRows.select(
            dsl,
            isOwners()
                .and(state == null ? noCondition() : StatesAt.isAt(state, now))
                .and(after == null ? noCondition() : isAfter(after)))
        .orderBy(USER_COUPON.ISSUED_AT.desc(), UserCouponRows.COUPON_ID)
        .limit(max)
        .fetch(UserCouponRows::fromRow);
  }

  List<UserCoupon> usableFirst(int max) {
    var mayBeUsable =
        StatesAt.isRecorded(UserCouponState.ISSUED).or(StatesAt.isRecorded(UserCouponState.HELD));
    return UserCouponRows.select(dsl, isOwners())
        .orderBy(mayBeUsable.desc(), USER_COUPON.ISSUED_AT.desc(), UserCouponRows.COUPON_ID)
        .limit(max)
        .fetch(UserCouponRows::fromRow);
  }

  private Condition isOwners() {
    return USER_COUPON.USER_ID.eq(owner.value());
  }

  private static Condition isAfter(UserCouponCursor place) {
    return USER_COUPON
        .ISSUED_AT
        .lt(place.issuedAt())
        .or(
            USER_COUPON
                .ISSUED_AT
                .eq(place.issuedAt())
                .and(UserCouponRows.COUPON_ID.gt(place.id().couponId().value())));
  }
}
