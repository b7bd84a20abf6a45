package io.firstcome.application.recording;

import io.firstcome.domain.port.LateClaimRepository;

/** Shows operators how many accepted claims wait for a slot to be found. */
public final class ReadLateClaims {

  private final LateClaimRepository lateClaims;

  public ReadLateClaims(LateClaimRepository lateClaims) {
    this.lateClaims = lateClaims;
  }

  /**
   * How many there are, or {@code max} if there are more.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public int count(int max) {
    return lateClaims.count(max);
  }
}
