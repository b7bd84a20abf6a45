package io.firstcome.domain.waitingroom;

import io.firstcome.domain.issuance.Epoch;

/**
 * A waiting room and the stock of its coupon at one time.
 *
 * @param epoch in which it was read. What is done according to it must be done in this epoch
 */
public record RoomReading(Epoch epoch, RoomState state, RoomStock stock) {}
