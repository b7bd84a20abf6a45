package io.firstcome.systemtests.kit;

import java.util.Set;

/**
 * A deliberate loss of the last copy of accepted claims, declared by a scenario for each user.
 * Earlier answers to such a user are void, except for id and code.
 *
 * @param atNanos the time of the loss, on the clock of the record
 */
public record Loss(Set<String> users, long atNanos) {

  /** Nothing was lost. */
  public static final Loss NONE = new Loss(Set.of(), Long.MIN_VALUE);

  public Loss {
    users = Set.copyOf(users);
  }

  /** Whether the loss makes this answer void. */
  boolean voids(RecordedClaim claim) {
    return claim.isOk() && claim.endNanos() < atNanos && users.contains(claim.user());
  }

  boolean isNone() {
    return users.isEmpty();
  }
}
