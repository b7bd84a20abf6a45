package io.firstcome.domain.usercoupon;

import io.firstcome.domain.usercoupon.UserCoupon.Expired;
import io.firstcome.domain.usercoupon.UserCoupon.Held;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
import io.firstcome.domain.usercoupon.UserCoupon.Returned;
import io.firstcome.domain.usercoupon.UserCoupon.Revoked;
import io.firstcome.domain.usercoupon.UserCoupon.Used;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A step of a user coupon, to be recorded if the stored one has not changed since it was read.
 *
 * @param before as it was read, without {@link UserCoupon#at}
 * @param after in the next revision
 * @param reason that the actor gives for the undo of a use, or null
 */
public record UserCouponChange(
    UserCoupon before, UserCoupon after, Actor actor, Instant at, @Nullable String reason) {

  public UserCouponChange {
    if (!before.ownership().equals(after.ownership())
        || after.revision() != before.revision() + 1) {
      throw new IllegalArgumentException(
          "after must follow before: revision %d of %s, %d of %s"
              .formatted(before.revision(), before.id(), after.revision(), after.id()));
    }
  }

  /** A step without a reason. */
  public UserCouponChange(UserCoupon before, UserCoupon after, Actor actor, Instant at) {
    this(before, after, actor, at, null);
  }

  /** What can happen to a user coupon. */
  public enum Action {
    HOLD,
    CONFIRM,
    RELEASE,
    USE,
    UNDO,
    EXPIRE,
    GIVE_BACK,
    REVOKE
  }

  /** What happens. A step after the end of a hold has the same action as one without a hold. */
  public Action action() {
    return switch (after) {
      case Held _ -> Action.HOLD;
      case Used(_, _, Redemption redemption, _) ->
          before instanceof Held held && held.redemption().equals(redemption)
              ? Action.CONFIRM
              : Action.USE;
      case Issued _ -> before instanceof Used ? Action.UNDO : Action.RELEASE;
      case Expired _ ->
          switch (before) {
            case Used _ -> Action.UNDO;
            case Held _ when !actor.equals(Actor.TIME) -> Action.RELEASE;
            case Held _, Issued _, Expired _, Returned _, Revoked _ -> Action.EXPIRE;
          };
      case Returned _ -> Action.GIVE_BACK;
      case Revoked _ -> Action.REVOKE;
    };
  }

  /** The redemption that the step begins, continues or ends. */
  public Optional<Redemption> redemption() {
    return redemptionOf(after).or(() -> redemptionOf(before));
  }

  private static Optional<Redemption> redemptionOf(UserCoupon userCoupon) {
    return switch (userCoupon) {
      case Held held -> Optional.of(held.redemption());
      case Used used -> Optional.of(used.redemption());
      case Issued _, Expired _, Returned _, Revoked _ -> Optional.empty();
    };
  }
}
