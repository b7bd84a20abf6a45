package io.firstcome.domain.waitingroom;

/**
 * What the system of record knows in advance, so that a waiting room which loses its data neither
 * gives a ticket twice nor takes an admission back.
 *
 * @param tickets no ticket above it is given
 * @param places no place above it is served
 */
public record RoomReserve(int tickets, int places) {

  /** Of a room that nobody has joined. */
  public static final RoomReserve NONE = new RoomReserve(0, 0);

  public RoomReserve {
    if (places < 0 || tickets < 0) {
      throw new IllegalArgumentException(
          "reserve must not be negative: %d tickets, %d places".formatted(tickets, places));
    }
  }

  /** The higher numbers of both. */
  public RoomReserve extendedTo(RoomReserve other) {
    return new RoomReserve(Math.max(tickets, other.tickets), Math.max(places, other.places));
  }
}
