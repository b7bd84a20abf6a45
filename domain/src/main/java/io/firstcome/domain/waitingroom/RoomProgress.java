package io.firstcome.domain.waitingroom;

import io.firstcome.domain.coupon.WaitingRoom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How far a waiting room has served.
 *
 * @param gaps places of which most have no user, in ascending order; those that are passed are left
 *     out
 * @param offer the latest one for slots that became free again
 */
public record RoomProgress(
    ServingNumber number, ServingHistory history, List<Gap> gaps, RoomOffer offer) {

  /** Gaps are passed at this multiple of the rate: a few of their places may have a user. */
  static final int GAP_SPEED = 10;

  public RoomProgress {
    gaps = List.copyOf(gaps);
  }

  /** The same progress at a later time, before which the room has served nobody. */
  RoomProgress standingStill(Instant now) {
    return new RoomProgress(number.standingStill(now), history, gaps, offer);
  }

  /**
   * The same progress of a room with that admission time, which has served nobody if it differs.
   */
  RoomProgress with(Duration admissionTime) {
    return history.admissionTime().equals(admissionTime)
        ? this
        : new RoomProgress(number, ServingHistory.startingWith(admissionTime), gaps, offer);
  }

  /**
   * How many places a room that claims serves before it has claimed for them. Not every place has a
   * user, so with few slots these are more than there are slots.
   */
  static int ahead(RoomStock stock, int pace) {
    return stock.free() == 0 ? 0 : Math.max(stock.free(), pace);
  }

  RoomProgress withoutGaps() {
    return new RoomProgress(number, history, List.of(), offer);
  }

  /**
   * The progress at a later time.
   *
   * @param now by the stock's clock
   * @param last the last place that has a ticket and is reserved
   * @param claimed the last place that a room which claims has claimed for
   */
  RoomProgress at(Instant now, WaitingRoom room, RoomStock stock, int last, int claimed) {
    boolean offers = stock.isAllocated() && room.mode() == WaitingRoom.Mode.ADMIT;
    var latest = offers ? offer.at(number, stock.free(), room.admissionTime()) : offer;
    var gap = gaps.isEmpty() ? null : gaps.getFirst();
    boolean isInGap = gap != null && number.served() >= gap.after();
    int pace = isInGap ? GAP_SPEED * room.pace() : room.pace();
    int limit =
        switch (room.mode()) {
          case ADMIT -> offers ? Math.min(last, latest.limit()) : last;
          case CLAIM -> Math.min(last, claimed + ahead(stock, pace));
        };
    int end = gap == null ? limit : Math.min(limit, isInGap ? gap.to() : gap.after());
    var next = number.at(now, pace, end);
    boolean isPassed = gap != null && next.served() >= gap.to();
    return new RoomProgress(
        next, history.with(next), isPassed ? gaps.subList(1, gaps.size()) : gaps, latest);
  }
}
