package io.firstcome.domain.waitingroom;

import io.firstcome.domain.coupon.WaitingRoom;

/**
 * How a waiting room serves. Once somebody has joined it, only rate and pause change.
 *
 * @param revision of the coupon; terms of an earlier one have no effect
 * @param room without its challenge, which users pass before they ask the stock
 */
public record RoomTerms(int revision, WaitingRoom room) {

  public RoomTerms {
    room = room.withChallenge(false);
  }
}
