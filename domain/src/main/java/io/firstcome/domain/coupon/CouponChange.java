package io.firstcome.domain.coupon;

/** What comes of an operator's wish to change a coupon. */
public sealed interface CouponChange {

  /**
   * It is to be changed.
   *
   * @param before as it was read
   * @param coupon as it is to be, of the next revision
   */
  record Changed(Coupon before, Coupon coupon) implements CouponChange {

    public Changed {
      if (!coupon.id().equals(before.id()) || coupon.revision() != before.revision() + 1) {
        throw new IllegalArgumentException(
            "coupon must follow before: revision %d of %s, %d of %s"
                .formatted(before.revision(), before.id(), coupon.revision(), coupon.id()));
      }
    }

    /** What is done. */
    public Action action() {
      if (coupon.definition().totalQuantity() != before.definition().totalQuantity()) {
        return Action.RAISE;
      }
      return switch (coupon.status()) {
        case PAUSED -> Action.PAUSE;
        case ACTIVE -> Action.RESUME;
        case CLOSED -> Action.CLOSE;
        case ARCHIVED -> Action.ARCHIVE;
      };
    }
  }

  /** What an operator can do to a coupon that is defined. */
  enum Action {
    PAUSE,
    RESUME,
    CLOSE,
    ARCHIVE,
    RAISE
  }

  /** It is so already. */
  record AlreadySo() implements CouponChange {}

  /** It cannot be so. */
  record Refused(Reason reason) implements CouponChange {

    /** Why a coupon cannot be changed. */
    public enum Reason {
      /** A closed coupon stays as it is, until it is archived. */
      CLOSED_FOR_GOOD,
      /** An archived coupon stays as it is. */
      ARCHIVED_FOR_GOOD,
      /** Only a closed coupon is archived. */
      NOT_CLOSED,
      /** The quantity only ever grows. */
      FEWER_PIECES
    }
  }
}
