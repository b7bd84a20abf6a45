package io.firstcome.application;

import io.firstcome.application.AnswerRecord.Owner;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Duration;
import java.util.function.Function;

/** What customers and operators can ask of one instance. */
record SimulatedRequests(
    Schedule schedule,
    CouponCatalog catalog,
    GroupCommit groupCommit,
    ClaimCoupon claimCoupon,
    FindClaim findClaim,
    GiveBackUserCoupon giveBackUserCoupon,
    RevokeUserCoupon revokeUserCoupon,
    ChangeCoupon changeCoupon,
    ArchiveCoupon archiveCoupon) {

  private static final Actor OPERATOR = new Actor(Actor.Kind.OPERATOR, "operator");

  /** A customer's claim, answered when its call is. */
  ClaimAnswer claim(Owner owner) throws InterruptedException {
    var coupon = catalog.find(owner.couponId()).orElseThrow();
    if (coupon.status() == CouponStatus.ARCHIVED) {
      return claimCoupon.ofArchived(coupon, owner.userId());
    }
    var outcome = groupCommit.claim(coupon, owner.userId()).toCompletableFuture();
    schedule.await(outcome::isDone);
    return claimCoupon.answer(coupon, owner.userId(), outcome, Duration.ZERO);
  }

  FindClaim.Result status(Owner owner) {
    return findClaim.find(owner.couponId(), owner.userId());
  }

  UserCouponAnswer giveBack(Owner owner) {
    return giveBackUserCoupon.giveBack(userCouponId(owner), Actor.customer(owner.userId()));
  }

  UserCouponAnswer revoke(Owner owner) {
    return revokeUserCoupon.revoke(userCouponId(owner), "fraud", OPERATOR);
  }

  private UserCouponId userCouponId(Owner owner) {
    var coupon = catalog.find(owner.couponId()).orElseThrow();
    return CouponFixtures.codeKeys()
        .identityOf(coupon.codeKeyVersion(), coupon.id(), owner.userId())
        .id();
  }

  ChangeCoupon.Result change(CouponId couponId, Function<Coupon, CouponChange> wish) {
    return changeCoupon.change(couponId, wish, OPERATOR);
  }

  ArchiveCoupon.Result archive(CouponId couponId) {
    return archiveCoupon.archive(couponId, OPERATOR);
  }
}
