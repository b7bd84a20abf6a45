package io.firstcome.domain.coupon;

import java.time.Instant;

/**
 * The time in which a coupon can be claimed, from {@code opensAt} inclusive to {@code closesAt}
 * exclusive. Checked by the clock of the stock backend, never by that of an instance.
 */
public record IssuanceWindow(Instant opensAt, Instant closesAt) {

  public IssuanceWindow {
    if (!opensAt.isBefore(closesAt)) {
      throw new IllegalArgumentException(
          "closesAt must be after opensAt: " + opensAt + " to " + closesAt);
    }
  }
}
