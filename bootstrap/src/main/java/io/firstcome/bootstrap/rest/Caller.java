package io.firstcome.bootstrap.rest;

import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.Actor;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who calls, as the gateway says.
 *
 * @param userId null where the caller names no user, as an operator's tool may
 */
record Caller(@Nullable UserId userId, Set<String> scopes) {

  /** What opens the operators' calls. */
  static final String OPERATE = "coupon:operate";

  /** The caller as the operator who does something. */
  Actor operator() {
    return Actor.operator(userId);
  }

  /** What lets an order service or a till take any user's coupons. */
  static final String REDEEM = "coupon:redeem";

  /** The user, without whom there is nothing to answer. */
  UserId user() {
    if (userId == null) {
      throw Problem.unauthenticated("The call names no user.");
    }
    return userId;
  }
}
