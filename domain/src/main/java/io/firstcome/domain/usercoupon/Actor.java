package io.firstcome.domain.usercoupon;

import io.firstcome.domain.issuance.UserId;

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
    /** The system, because time has passed. */
    SYSTEM
  }

  /** The passing of time. */
  public static final Actor TIME = new Actor(Kind.SYSTEM, "time");

  public Actor {
    if (name.isBlank()) {
      throw new IllegalArgumentException("name of an actor must not be blank: '" + name + "'");
    }
  }

  /** The owner of user coupons. */
  public static Actor customer(UserId userId) {
    return new Actor(Kind.CUSTOMER, userId.value());
  }

  /** Whether the user coupon is any of this one's business: a customer has only their own. */
  public boolean mayActOn(UserCoupon userCoupon) {
    return kind != Kind.CUSTOMER || userCoupon.userId().value().equals(name);
  }
}
