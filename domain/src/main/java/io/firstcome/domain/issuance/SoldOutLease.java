package io.firstcome.domain.issuance;

import java.time.Duration;

/**
 * The stock's permission to refuse claims of a coupon as sold out without calling the stock. It
 * lasts for {@link #LENGTH}, counted from before it was requested. Until then the stock allocates
 * no slot of the coupon, and no further user gets a mark in its ledger.
 *
 * @see <a href="https://doi.org/10.1145/74851.74870">Gray and Cheriton, Leases</a>
 */
public interface SoldOutLease {

  /** How long a lease lasts. */
  Duration LENGTH = Duration.ofSeconds(1);

  /**
   * After this time, counted from after a lease was granted, it is over for every holder: its
   * length, and a margin for clocks that do not run at the same rate.
   */
  Duration OVER_AFTER = LENGTH.plusMillis(100);

  /**
   * Whether the ledger may have a mark of the user. If false, the claim may be refused as sold out;
   * if true, only the stock can tell.
   */
  boolean mayHaveMark(UserId user);
}
