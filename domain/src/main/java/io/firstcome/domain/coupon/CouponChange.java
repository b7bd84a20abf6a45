package io.firstcome.domain.coupon;

/** The result of an operator's request to change a coupon. */
public sealed interface CouponChange {

  /**
   * The coupon is to be changed.
   *
   * @param before as it was read
   * @param coupon as changed, in the next revision
   */
  record Changed(Coupon before, Coupon coupon, Action action) implements CouponChange {

    public Changed {
      if (!coupon.id().equals(before.id()) || coupon.revision() != before.revision() + 1) {
        throw new IllegalArgumentException(
            "coupon must follow before: revision %d of %s, %d of %s"
                .formatted(before.revision(), before.id(), coupon.revision(), coupon.id()));
      }
    }

    /**
     * Whether the change is possible only as long as nobody has claimed the coupon, because users
     * who have it rely on what changes.
     */
    public boolean needsNoClaims() {
      return before.isPublished() && !coupon.definition().keepsPromisesOf(before.definition());
    }
  }

  /** What an operator can do to a coupon that is defined. */
  enum Action {
    EDIT,
    PUBLISH,
    PAUSE,
    RESUME,
    CLOSE,
    ARCHIVE,
    RAISE,
    /** It becomes a coupon of a campaign. */
    JOIN,
    /** Its campaign is deleted. */
    LEAVE
  }

  /** The coupon is in the requested state already. */
  record AlreadySo() implements CouponChange {}

  /** The change is not possible. */
  record Refused(Reason reason) implements CouponChange {

    /** Why a coupon cannot be changed. */
    public enum Reason {
      /** A closed coupon stays as it is, until it is archived. */
      CLOSED_FOR_GOOD,
      /** An archived coupon stays as it is. */
      ARCHIVED_FOR_GOOD,
      /** Only a closed coupon can be archived. */
      NOT_CLOSED,
      /** The quantity can only be raised. */
      LOWER_QUANTITY,
      /** A draft can only be edited, put into a campaign, published or deleted. */
      NOT_PUBLISHED,
      /** In a campaign, each returned or revoked user coupon must release its slot. */
      MUST_RETURN_TO_STOCK
    }
  }
}
