package io.firstcome.application.waitingroom;

import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.waitingroom.Ticket;

/** The answer to a user who joins a waiting room. */
sealed interface RoomAnswer {

  /**
   * The user is in the room, by this call or an earlier one.
   *
   * @param text of the ticket, which the user presents later
   */
  record Joined(Ticket ticket, String text) implements RoomAnswer {}

  /** The user has the coupon or an earlier claim of it. */
  record HasClaimed() implements RoomAnswer {}

  /** The user cannot join, for the same reason as the user cannot claim. */
  record Refused(ClaimOutcome.Refusal reason) implements RoomAnswer {}

  /** There is no such coupon, or it is not published. */
  record UnknownCoupon() implements RoomAnswer {}

  /** The coupon has no waiting room. */
  record NoWaitingRoom() implements RoomAnswer {}

  /** Too many users join: nothing happened. */
  record Overloaded() implements RoomAnswer {}

  /** The stock is being recovered, or the room is not open yet: nothing happened. */
  record Recovering() implements RoomAnswer {}

  /** The user may have joined: the same request gets the same ticket. */
  record OutcomeUnknown() implements RoomAnswer {}
}
