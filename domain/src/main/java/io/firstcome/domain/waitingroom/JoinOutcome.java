package io.firstcome.domain.waitingroom;

import io.firstcome.domain.issuance.ClaimOutcome;

/** The stock backend's answer to one user who joins a waiting room. */
public sealed interface JoinOutcome {

  /** The user has this ticket, now or since an earlier call, also one in an earlier epoch. */
  record Joined(Ticket ticket) implements JoinOutcome {}

  /**
   * The user has no ticket.
   *
   * @param reason {@link ClaimOutcome.AlreadyIssued}, {@link ClaimOutcome.Returned} or {@link
   *     ClaimOutcome.Rejected} if a claim of the user would be answered so; {@link
   *     ClaimOutcome.NotOpen} with the time when users can join; {@link ClaimOutcome.SoldOut};
   *     {@link ClaimOutcome.Closed}; {@link ClaimOutcome.Busy} if too many users have joined, or
   *     too fast; {@link ClaimOutcome.Repeat} as for claims
   */
  record NotJoined(ClaimOutcome reason) implements JoinOutcome {}
}
