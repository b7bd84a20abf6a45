package io.firstcome.systemtests.kit;

import java.util.Set;

/**
 * A loss of the last copy of accepted claims, which a scenario has brought about on purpose and
 * accounts for user by user. What such a user was told before is void, except id and code.
 *
 * @param atNanos the moment of the loss, on the clock of the record
 */
public record Loss(Set<String> users, long atNanos) {

  /** Nothing was lost. */
  public static final Loss NONE = new Loss(Set.of(), Long.MIN_VALUE);

  public Loss {
    users = Set.copyOf(users);
  }

  /** Whether nobody can hold the service to this answer any more. */
  boolean voids(RecordedClaim claim) {
    return claim.isOk() && claim.endNanos() < atNanos && users.contains(claim.user());
  }

  boolean isNone() {
    return users.isEmpty();
  }
}
