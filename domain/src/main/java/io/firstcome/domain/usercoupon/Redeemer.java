package io.firstcome.domain.usercoupon;

import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.ShopId;
import org.jspecify.annotations.Nullable;

/**
 * A caller who takes user coupons for orders, or ends redemptions. Only who has taken a user coupon
 * for an order, and operators, can end that redemption.
 */
public sealed interface Redeemer {

  /** The caller in the audit trail. */
  Actor actor();

  /** Whether this caller may end the redemption. */
  boolean mayEnd(Redemption redemption);

  /** Whether this caller may take the user coupon, or end its redemptions. */
  default boolean mayActOn(UserCoupon userCoupon) {
    return actor().mayActOn(userCoupon);
  }

  /** The owner of user coupons. */
  record Owner(UserId userId) implements Redeemer {

    @Override
    public Actor actor() {
      return Actor.customer(userId);
    }

    @Override
    public boolean mayEnd(Redemption redemption) {
      return redemption.shop() == null;
    }
  }

  /**
   * An order service or a till, with the user coupon of any owner.
   *
   * @param user who uses the till, for the audit trail; or null
   */
  record Shop(ShopId id, @Nullable UserId user) implements Redeemer {

    @Override
    public Actor actor() {
      return Actor.shop(id, user);
    }

    @Override
    public boolean mayEnd(Redemption redemption) {
      return id.equals(redemption.shop());
    }
  }

  /** An operator, who ends redemptions that the shop cannot end. */
  record Operator(UserId user) implements Redeemer {

    @Override
    public Actor actor() {
      return Actor.operator(user);
    }

    @Override
    public boolean mayEnd(Redemption redemption) {
      return true;
    }
  }
}
