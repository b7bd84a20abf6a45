package io.firstcome.bootstrap.security;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.Redeemer;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * The caller of a request, from its token or from the gateway.
 *
 * @param userId null if the request names no user, as that of an order service may
 * @param shopId null if the request is not of a shop
 */
public record Caller(@Nullable UserId userId, @Nullable ShopId shopId, Set<Scope> scopes) {

  public Caller {
    scopes = Set.copyOf(scopes);
  }

  /**
   * The caller of the request that this thread handles.
   *
   * @throws IllegalStateException if it was not authenticated
   */
  public static Caller current() {
    return find().orElseThrow(() -> new IllegalStateException("the request was not authenticated"));
  }

  /** The caller of the request that this thread handles, or empty if it was not authenticated. */
  public static Optional<Caller> find() {
    return SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication of
        ? Optional.of(of.getPrincipal())
        : Optional.empty();
  }

  /** Whether the caller may change coupons in the console. */
  public boolean mayOperate() {
    return scopes.contains(Scope.OPERATE);
  }

  /** The caller as an operator, for the audit trail; a request that names no user is refused. */
  public Actor operator() {
    return Actor.operator(named());
  }

  /** The caller as an operator who ends redemptions; a request that names no user is refused. */
  public Redeemer.Operator redeemingOperator() {
    return new Redeemer.Operator(named());
  }

  private UserId named() {
    if (userId == null) {
      throw Problem.unauthenticated("The request names no operator.");
    }
    return userId;
  }

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
