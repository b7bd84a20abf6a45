package io.firstcome.client;

import io.firstcome.client.model.Claim;
import io.firstcome.client.model.Problem;

/** The final answer to a claim. */
public sealed interface ClaimResult {

  /**
   * The customer has the coupon: by this claim, or by an earlier one, which {@code outcome} says.
   * While its {@code state} is ACCEPTED, it cannot be used yet, usually for some milliseconds.
   */
  record Claimed(Claim claim) implements ClaimResult {}

  /**
   * The customer does not get it, at least not now.
   *
   * @param reason the name of the problem, such as {@code sold-out}, {@code campaign-limit}, {@code
   *     not-open}, {@code paused} or {@code closed}
   */
  record Refused(String reason, Problem problem) implements ClaimResult {}
}
