package io.firstcome.domain.usercoupon;

import io.firstcome.domain.issuance.UserId;
import org.jspecify.annotations.Nullable;

/**
 * Who does something to a coupon.
 *
 * @param name the caller's name as it was authenticated, or what part of the system it is
 */
public record Actor(Kind kind, String name) {

  /** In what role somebody acts. */
  public enum Kind {
    /** The owner. */
    CUSTOMER,
    /** An order service or a till, on an owner's behalf. */
    SHOP,
    /** Somebody with rights over coupons. */
    OPERATOR,
    /** The system by itself. */
    SYSTEM
  }

  /** The passing of time. */
  public static final Actor TIME = new Actor(Kind.SYSTEM, "time");

  /** The recovery of what a server has forgotten. */
  public static final Actor RECOVERY = new Actor(Kind.SYSTEM, "recovery");

  /** An operator whose call names no user, as a tool's may. */
  public static final Actor UNNAMED_OPERATOR = new Actor(Kind.OPERATOR, "unnamed");

  public Actor {
    if (name.isBlank()) {
      throw new IllegalArgumentException("name of an actor must not be blank: '" + name + "'");
    }
  }

  /** The owner of user coupons. */
  public static Actor customer(UserId userId) {
    return new Actor(Kind.CUSTOMER, userId.value());
  }

  /**
   * Somebody with rights over coupons.
   *
   * @param userId null where the call names no user
   */
  public static Actor operator(@Nullable UserId userId) {
    return userId == null ? UNNAMED_OPERATOR : new Actor(Kind.OPERATOR, userId.value());
  }

  /** Who calls for an order service or a till. */
  public static Actor shop(UserId caller) {
    return new Actor(Kind.SHOP, caller.value());
  }

  /** Whether the user coupon is any of this one's business: a customer has only their own. */
  public boolean mayActOn(UserCoupon userCoupon) {
    return kind != Kind.CUSTOMER || userCoupon.userId().value().equals(name);
  }
}
