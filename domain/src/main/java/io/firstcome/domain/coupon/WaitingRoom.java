package io.firstcome.domain.coupon;

/**
 * A fair queue in front of a coupon that admits a fixed number of users per second. Not available
 * yet: until it is, the claims of such a coupon are refused.
 */
public record WaitingRoom(int admissionsPerSecond) {

  private static final int MAX_ADMISSIONS_PER_SECOND = 1_000_000;

  public WaitingRoom {
    if (admissionsPerSecond < 1 || admissionsPerSecond > MAX_ADMISSIONS_PER_SECOND) {
      throw new IllegalArgumentException(
          "waitingRoom.admissionsPerSecond must be 1 to "
              + MAX_ADMISSIONS_PER_SECOND
              + ": "
              + admissionsPerSecond);
    }
  }
}
