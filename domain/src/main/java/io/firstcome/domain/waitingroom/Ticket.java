package io.firstcome.domain.waitingroom;

import io.firstcome.domain.issuance.Epoch;

/**
 * A user's number in a waiting room.
 *
 * @param number from 1; no two users of a room have the same
 * @param epoch in which the room had it. A room of a later epoch may not know the user
 */
public record Ticket(int number, Epoch epoch) {

  public Ticket {
    if (number < 1) {
      throw new IllegalArgumentException("ticket must be positive: " + number);
    }
  }
}
