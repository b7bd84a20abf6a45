package io.firstcome.bootstrap.rest.request;

import io.firstcome.bootstrap.rest.problem.Problem;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.Redeemer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request, as the gateway states it.
 *
 * @param userId null if the request names no user, as that of an operator's tool may
 * @param shopId null if the request is not of a shop
 */
public record Caller(@Nullable UserId userId, @Nullable ShopId shopId, Set<String> scopes) {

  /** The scope of operators. */
  public static final String OPERATE = "coupon:operate";

  /** The caller as an operator, for the audit trail. */
  public Actor operator() {
    return Actor.operator(userId);
  }

  /** The caller as an operator who ends redemptions. */
  public Redeemer.Operator redeemingOperator() {
    return new Redeemer.Operator(userId);
  }

  /** The scope of order services and tills, which can redeem any user's coupon. */
  public static final String REDEEM = "coupon:redeem";

  /** The caller as the owner of user coupons. */
  public Redeemer.Owner owner() {
    return new Redeemer.Owner(user());
  }

  /** The caller as a shop; a request that names none is refused. */
  public Redeemer.Shop shop() {
    if (shopId == null) {
      throw Problem.unauthenticated("The request names no shop.");
    }
    return new Redeemer.Shop(shopId, userId);
  }

  /** The user; a request that names none is refused. */
  public UserId user() {
    if (userId == null) {
      throw Problem.unauthenticated("The request names no user.");
    }
    return userId;
  }
}
