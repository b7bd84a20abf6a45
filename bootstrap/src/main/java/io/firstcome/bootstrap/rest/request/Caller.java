package io.firstcome.bootstrap.rest.request;

import io.firstcome.bootstrap.rest.problem.Problem;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.Actor;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request, as the gateway states it.
 *
 * @param userId null if the request names no user, as that of an operator's tool may
 */
public record Caller(@Nullable UserId userId, Set<String> scopes) {

  /** The scope of operators. */
  public static final String OPERATE = "coupon:operate";

  /** The caller as an operator, for the audit trail. */
  public Actor operator() {
    return Actor.operator(userId);
  }

  /** The scope of order services and tills, which can redeem any user's coupon. */
  public static final String REDEEM = "coupon:redeem";

  /** The user; a request that names none is refused. */
  public UserId user() {
    if (userId == null) {
      throw Problem.unauthenticated("The request names no user.");
    }
    return userId;
  }
}
