package io.firstcome.application;

import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * Takes one step in the life of a user coupon. Of several at the same time one is recorded, and
 * each of the others is decided anew on what that one has made of it.
 */
final class UserCouponSteps {

  /** Each try that fails is somebody else's step that succeeded. */
  private static final int MAX_TRIES = 20;

  private final UserCouponRepository userCoupons;
  private final InstantSource clock;

  UserCouponSteps(UserCouponRepository userCoupons, InstantSource clock) {
    this.userCoupons = userCoupons;
    this.clock = clock;
  }

  /** What is to become of a user coupon as it is at a time. */
  interface Rule {
    Decision decide(UserCoupon now, Instant time);
  }

  /** What a rule says. */
  sealed interface Decision {

    /** It is to become this. */
    record Become(UserCoupon next) implements Decision {}

    /** It stays, and the caller is told this. */
    record Stay(UserCouponAnswer answer) implements Decision {}
  }

  static Decision refuse(UserCouponAnswer.Reason reason) {
    return new Decision.Stay(new UserCouponAnswer.Refused(reason));
  }

  /**
   * Applies the rule until it says that nothing is to change, or its change is recorded.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not say that
   *     it is recorded; asking again is safe
   */
  UserCouponAnswer take(UserCouponId id, Actor actor, Rule rule) {
    for (int i = 0; i < MAX_TRIES; i++) {
      var stored = userCoupons.find(id).filter(actor::mayActOn).orElse(null);
      if (stored == null) {
        return new UserCouponAnswer.UnknownUserCoupon();
      }
      // Stores keep milliseconds, so that what is answered is what will be read.
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
