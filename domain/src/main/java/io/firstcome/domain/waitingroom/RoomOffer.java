package io.firstcome.domain.waitingroom;

import java.time.Duration;

/**
 * Which places a waiting room that admits users serves after each slot of its coupon was allocated
 * once: one for each slot that becomes free. A slot that stays free is offered again after a while,
 * as the user whom it was offered to has not claimed it.
 *
 * @param slots free at the latest reading
 * @param limit the last place that can be served for them
 * @param counted the time that had counted when the number of free slots last changed, or when they
 *     were offered again
 */
public record RoomOffer(int slots, int limit, Duration counted) {

  /** Of a room that has made none. */
  public static final RoomOffer NONE = new RoomOffer(0, 0, Duration.ZERO);

  /** The longest time until a slot that stays free is offered again. */
  static final Duration MAX_WAIT = Duration.ofMinutes(1);

  /**
   * The offer that is valid at a reading.
   *
   * @param free slots that can be claimed now. If fewer are free than before, users have claimed
   *     those that were offered to them
   */
  RoomOffer at(ServingNumber number, int free, Duration admissionTime) {
    if (free < slots) {
      return new RoomOffer(free, limit, number.counted());
    }
    if (free > slots) {
      return new RoomOffer(free, Math.max(limit, number.served()) + free - slots, number.counted());
    }
    var wait = admissionTime.compareTo(MAX_WAIT) < 0 ? admissionTime : MAX_WAIT;
    return free > 0 && number.counted().minus(counted).compareTo(wait) >= 0
        ? new RoomOffer(free, Math.max(limit, number.served()) + free, number.counted())
        : this;
  }
}
