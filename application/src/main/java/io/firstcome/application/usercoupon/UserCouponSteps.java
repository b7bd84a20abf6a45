package io.firstcome.application.usercoupon;

import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * Takes one step of a user coupon. Of concurrent steps one is recorded, and the others are decided
 * again on the changed user coupon.
 */
final class UserCouponSteps {

  /** Each failed try means that a concurrent step succeeded. */
  private static final int MAX_TRIES = 20;

  private final UserCouponRepository userCoupons;
  private final InstantSource clock;

  UserCouponSteps(UserCouponRepository userCoupons, InstantSource clock) {
    this.userCoupons = userCoupons;
    this.clock = clock;
  }

  /** Decides the step of a user coupon, as it is at a time. */
  interface Rule {
    Decision decide(UserCoupon now, Instant time);
  }

  /** The decision of a rule. */
  sealed interface Decision {

    /** The user coupon is to become this. */
    record Become(UserCoupon next) implements Decision {}

    /** The user coupon stays, and the caller gets this answer. */
    record Stay(UserCouponAnswer answer) implements Decision {}
  }

  static Decision refuse(UserCouponAnswer.Reason reason) {
    return new Decision.Stay(new UserCouponAnswer.Refused(reason));
  }

  /**
   * Applies the rule until it decides that nothing is to change, or its change is recorded.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write; a retry is safe
   */
  UserCouponAnswer take(UserCouponId id, Actor actor, Rule rule) {
    for (int i = 0; i < MAX_TRIES; i++) {
      var stored = userCoupons.find(id).filter(actor::mayActOn).orElse(null);
      if (stored == null) {
        return new UserCouponAnswer.UnknownUserCoupon();
      }
      // As exact as stored times, so that the answer equals what will be read.
      var time = clock.instant().truncatedTo(ChronoUnit.MILLIS);
      switch (rule.decide(stored.at(time), time)) {
        case Decision.Stay(var answer) -> {
          return answer;
        }
        case Decision.Become(var next) -> {
          if (userCoupons.change(new UserCouponChange(stored, next, actor, time))) {
            return new UserCouponAnswer.Done(next);
          }
        }
      }
    }
    return new UserCouponAnswer.Overtaken();
  }
}
