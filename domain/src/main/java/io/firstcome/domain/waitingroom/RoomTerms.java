package io.firstcome.domain.waitingroom;

import io.firstcome.domain.coupon.WaitingRoom;

/**
 * How a waiting room serves. Once somebody has joined it, only rate and pause change.
 *
 * @param revision of the coupon; terms of an earlier one have no effect
 */
public record RoomTerms(int revision, WaitingRoom room) {}
