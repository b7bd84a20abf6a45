package io.firstcome.bootstrap.rest;

import io.firstcome.domain.issuance.UserId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who calls, as the gateway says.
 *
 * @param userId null where the caller names no user, as an operator's tool may
 */
record Caller(@Nullable UserId userId, Set<String> scopes) {

  /** What opens the operators' calls. */
  static final String OPERATE = "coupon:operate";

  /** The user, without whom there is nothing to answer. */
  UserId user() {
    if (userId == null) {
      throw Problem.unauthenticated("The call names no user.");
    }
    return userId;
  }
}
