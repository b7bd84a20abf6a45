package io.firstcome.domain.retention;

import io.firstcome.domain.issuance.SlotOwner;
import org.jspecify.annotations.Nullable;

/** The result of one step of the removal of a coupon's rows. */
public sealed interface RemovalStep {

  /**
   * A part was exported and removed, and there may be more.
   *
   * @param rows of user coupons or rejected claims that were removed
   * @param last the last user coupon that was removed, after which the next step continues; null if
   *     none was removed yet
   */
  record Removed(int rows, @Nullable SlotOwner last) implements RemovalStep {}

  /** The coupon has no more rows; the end of the removal is noted. */
  record Ended() implements RemovalStep {}

  /** Another instance is removing the rows, or has ended the removal. Nothing happened. */
  record Elsewhere() implements RemovalStep {}

  /** A user coupon can still be used, or its expiry is not recorded yet. Nothing happened. */
  record NotFinal() implements RemovalStep {}
}
