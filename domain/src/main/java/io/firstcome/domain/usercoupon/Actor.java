package io.firstcome.domain.usercoupon;

import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.ShopId;
import org.jspecify.annotations.Nullable;

/**
 * Who performs an action on a coupon.
 *
 * @param name the caller's authenticated name, or the part of the system
 */
public record Actor(Kind kind, String name) {

  /** The role of an actor. */
  public enum Kind {
    /** The owner. */
    CUSTOMER,
    /** An order service or a till, on an owner's behalf. */
    SHOP,
    /** A user with operator rights. */
    OPERATOR,
    /** The system by itself. */
    SYSTEM
  }

  /** The expiry of a hold or a validity, and what follows from it. */
  public static final Actor TIME = new Actor(Kind.SYSTEM, "time");

  /** The recovery after a server's loss of data. */
  public static final Actor RECOVERY = new Actor(Kind.SYSTEM, "recovery");

  /** The erasure of a user that an operator requested. */
  public static final Actor ERASURE = new Actor(Kind.SYSTEM, "erasure");

  /** The end of a rehearsal. */
  public static final Actor REHEARSAL = new Actor(Kind.SYSTEM, "rehearsal");

  /** The deliveries to webhooks. */
  public static final Actor WEBHOOKS = new Actor(Kind.SYSTEM, "webhooks");

  public Actor {
    if (name.isBlank()) {
      throw new IllegalArgumentException("name of an actor must not be blank: '" + name + "'");
    }
  }

  /** The owner of user coupons. */
  public static Actor customer(UserId userId) {
    return new Actor(Kind.CUSTOMER, userId.value());
  }

  /** A user with operator rights. */
  public static Actor operator(UserId userId) {
    return new Actor(Kind.OPERATOR, userId.value());
  }

  /**
   * An order service or a till: {@code <shop>}, or {@code <shop>/<user>}.
   *
   * @param user who uses the till, or null
   */
  public static Actor shop(ShopId shop, @Nullable UserId user) {
    return new Actor(Kind.SHOP, user == null ? shop.value() : shop + "/" + user);
  }

  /** Whether this actor is authorized for the user coupon: a customer only for their own. */
  public boolean mayActOn(UserCoupon userCoupon) {
    return kind != Kind.CUSTOMER || userCoupon.userId().value().equals(name);
  }
}
