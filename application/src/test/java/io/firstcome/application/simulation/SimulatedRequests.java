package io.firstcome.application.simulation;

import io.firstcome.application.UseCases;
import io.firstcome.application.archive.ArchiveCoupon;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.claim.FindClaim;
import io.firstcome.application.coupon.ChangeCoupon;
import io.firstcome.application.simulation.AnswerRecord.Owner;
import io.firstcome.application.usercoupon.ReturnRefusal;
import io.firstcome.application.usercoupon.UserCouponAnswer;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.stock.InMemoryStockBackend;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.erasure.Erasure;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.function.Function;

/** The requests of customers and operators to one instance. */
record SimulatedRequests(Schedule schedule, UseCases useCases, InMemoryStockBackend stock) {

  private static final Actor OPERATOR = new Actor(Actor.Kind.OPERATOR, "operator");

  /**
   * Claims for a customer; returns when the claim call is answered. A refusal without a call must
   * be true at that moment.
   */
  ClaimAnswer claim(Owner owner) throws InterruptedException {
    var coupon = useCases.catalog.find(owner.couponId()).orElseThrow();
    if (coupon.status() == CouponStatus.ARCHIVED) {
      return useCases.claimCoupon.ofArchived(coupon, owner.userId());
    }
    if (useCases.refuseSoldOut.refuses(coupon, owner.userId())) {
      schedule.struck(SimulatedFault.REFUSED_UNDER_LEASE, owner);
      if (stock.contradictsSoldOut(useCases.knownEpochs.address(coupon), owner.userId())) {
        throw new AssertionError("I7 sold out is not true for " + owner);
      }
      return new ClaimAnswer.Refused(new ClaimOutcome.SoldOut());
    }
    var outcome = useCases.groupCommit.claim(coupon, owner.userId()).toCompletableFuture();
    schedule.await(outcome::isDone);
    return useCases.claimCoupon.answer(coupon, owner.userId(), outcome);
  }

  FindClaim.Result status(Owner owner) {
    return useCases.findClaim.find(owner.couponId(), owner.userId());
  }

  UserCouponAnswer<ReturnRefusal> giveBack(Owner owner) {
    return useCases.giveBackUserCoupon.giveBack(
        userCouponId(owner), Actor.customer(owner.userId()));
  }

  UserCouponAnswer<ReturnRefusal> revoke(Owner owner) {
    return useCases.revokeUserCoupon.revoke(userCouponId(owner), "fraud", OPERATOR);
  }

  private UserCouponId userCouponId(Owner owner) {
    var coupon = useCases.catalog.find(owner.couponId()).orElseThrow();
    return CouponFixtures.codeKeys()
        .identityOf(coupon.codeKeyVersion(), coupon.id(), owner.userId())
        .id();
  }

  ChangeCoupon.Result change(CouponId couponId, Function<Coupon, CouponChange> operation) {
    return useCases.changeCoupon.change(couponId, operation, OPERATOR);
  }

  Erasure erase(UserId user) {
    return useCases.eraseUsers.request(user, OPERATOR);
  }

  ArchiveCoupon.Result archive(CouponId couponId) {
    return useCases.archiveCoupon.archive(couponId, OPERATOR);
  }
}
