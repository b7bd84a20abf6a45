package io.firstcome.application.waitingroom;

import java.time.Duration;

/**
 * The limits of waiting rooms.
 *
 * @param maxTickets the most tickets of one room: each needs about a hundred bytes in Redis, which
 *     claims need as well
 * @param tickets the largest reserve of tickets of a room that few users join; it grows with the
 *     joins. Users who join when it is used up are answered busy, and others overtake them
 * @param placesFor for how long places are reserved in advance, at the rate of the room
 * @param noteEvery how often an instance notes the state of a room that changes
 * @param callTime within which a call must take effect at the stock, or never
 */
public record RoomLimits(
    int maxTickets, int tickets, Duration placesFor, Duration noteEvery, Duration callTime) {

  /** The values for production. */
  public static RoomLimits defaults() {
    return new RoomLimits(
        5_000_000, 20_000, Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(1));
  }
}
