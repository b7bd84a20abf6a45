package io.firstcome.application.usercoupon;

import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
  interface Rule<R> {
    Decision<R> decide(UserCoupon now, Instant time);
  }

  /** The decision of a rule. */
  sealed interface Decision<R> {

    /**
     * The user coupon is to become this.
     *
     * @param reason that the actor gives for it, or null
     */
    record Become<R>(UserCoupon next, @Nullable String reason) implements Decision<R> {

      Become(UserCoupon next) {
        this(next, null);
      }
    }

    /** The user coupon is as requested already. */
    record Stay<R>() implements Decision<R> {}

    /** The step is not possible. */
    record Refuse<R>(R reason) implements Decision<R> {}
  }

  /**
   * Applies the rule until it decides that nothing is to change, or its change is recorded.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the write; a retry is safe
   */
  <R> UserCouponAnswer<R> take(UserCouponId id, Actor actor, Rule<R> rule) {
    return take(userCoupons.find(id), actor, rule);
  }

  /**
   * The same for a user coupon that was read for this request.
   *
   * @param read empty if there is none
   */
  <R> UserCouponAnswer<R> take(Optional<UserCoupon> read, Actor actor, Rule<R> rule) {
    var current = read;
    for (int i = 0; i < MAX_TRIES; i++) {
      var stored = current.filter(actor::mayActOn).orElse(null);
      if (stored == null) {
        return new UserCouponAnswer.UnknownUserCoupon<>();
      }
      // As exact as stored times, so that the answer equals what will be read.
      var time = clock.instant().truncatedTo(ChronoUnit.MILLIS);
      var now = stored.at(time);
      switch (rule.decide(now, time)) {
        case Decision.Stay<R>() -> {
          return new UserCouponAnswer.DoneBefore<>(now);
        }
        case Decision.Refuse<R>(R reason) -> {
          return new UserCouponAnswer.Refused<>(reason);
        }
        case Decision.Become<R>(UserCoupon next, String reason) -> {
          if (userCoupons.change(new UserCouponChange(stored, next, actor, time, reason))) {
            return new UserCouponAnswer.Done<>(next);
          }
        }
      }
      current = userCoupons.find(stored.id());
    }
    return new UserCouponAnswer.ConcurrentChange<>();
  }
}
