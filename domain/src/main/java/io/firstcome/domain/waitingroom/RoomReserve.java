package io.firstcome.domain.waitingroom;

/**
 * What the system of record knows in advance, so that a waiting room which loses its data neither
 * gives a ticket twice nor takes an admission back.
 *
 * <p>It is raised in the system of record first, and lowered in the room first. Each change has the
 * next version, and neither of them takes an earlier version over: so a delayed message that raises
 * the reserve of a room has no effect after it was lowered, and the system of record never knows
 * less than the room can give.
 *
 * @param version of this reserve, 0 before it was stored
 * @param tickets no ticket above it is given
 * @param places the turn of no place above it comes ({@link RoomState#lastTurn})
 */
public record RoomReserve(int version, int tickets, int places) {

  /** Of a room that was never opened. */
  public static final RoomReserve NONE = new RoomReserve(0, 0);

  public RoomReserve {
    if (version < 0 || places < 0 || tickets < 0) {
      throw new IllegalArgumentException(
          "reserve must not be negative: version %d, %d tickets, %d places"
              .formatted(version, tickets, places));
    }
  }

  /** A reserve that is wanted and not stored yet. */
  public RoomReserve(int tickets, int places) {
    this(0, tickets, places);
  }

  /** The next version with the higher numbers of both; this one if none is higher. */
  public RoomReserve raisedTo(RoomReserve wanted) {
    return wanted.tickets <= tickets && wanted.places <= places
        ? this
        : new RoomReserve(
            Math.max(version, wanted.version) + 1,
            Math.max(tickets, wanted.tickets),
            Math.max(places, wanted.places));
  }

  /** The next version, in which no place above this one is reserved. */
  public RoomReserve loweredTo(int place) {
    return new RoomReserve(version + 1, tickets, place);
  }

  /**
   * The later version. An equal one can be different if the reserve was raised and lowered at the
   * same time: then the higher numbers of both.
   */
  public RoomReserve latest(RoomReserve other) {
    if (version != other.version) {
      return version > other.version ? this : other;
    }
    return new RoomReserve(
        version, Math.max(tickets, other.tickets), Math.max(places, other.places));
  }
}
