package io.firstcome.domain.waitingroom;

import io.firstcome.domain.coupon.WaitingRoom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A waiting room at the time of the latest reading of its number.
 *
 * @param lastTicket the last ticket that was given, 0 if none was
 * @param drawn among how many tickets the order was drawn, 0 if nobody joined before; null before
 *     the draw, or if the order is not drawn
 * @param claimed the last place whose user the room has claimed for
 */
public record RoomState(
    RoomTerms terms,
    int lastTicket,
    RoomReserve reserve,
    RoomProgress progress,
    @Nullable Integer drawn,
    int claimed) {

  /**
   * The room at a later time. Its number stands still while nobody could claim, and before the
   * draw.
   *
   * @param now by the stock's clock
   */
  public RoomState at(Instant now, RoomStock stock) {
    if (!stock.accepts() || isToBeDrawn()) {
      return standingStill(now);
    }
    int last = Math.min(lastTicket, reserve.places());
    return with(progress.at(now, terms.room(), stock, last, claimed));
  }

  private boolean claims() {
    return terms.room().mode() == WaitingRoom.Mode.CLAIM;
  }

  /** Whether the order is drawn later: until then nobody is served. */
  public boolean isToBeDrawn() {
    return terms.room().order() == WaitingRoom.Order.DRAW && drawn == null;
  }

  /** Whether no place is served, as long as nothing changes. */
  public boolean isHalted(RoomStock stock) {
    boolean hasNoSlots = stock.free() == 0 && (claims() || stock.isAllocated());
    return !stock.accepts() || isToBeDrawn() || terms.room().isPaused() || hasNoSlots;
  }

  /**
   * The last place that can be served, as long as nothing changes.
   *
   * @param most that are reserved in advance
   */
  public int lastPlaceAhead(RoomStock stock, int most) {
    if (isHalted(stock)) {
      return lastTurn();
    }
    int served = progress.number().served();
    int ahead =
        switch (terms.room().mode()) {
          case ADMIT -> stock.isAllocated() ? stock.free() : most;
          case CLAIM -> claimed + RoomProgress.ahead(stock, terms.room().pace()) - served;
        };
    return Math.min(lastTicket, served + Math.clamp(ahead, 0, most));
  }

  /** The last place whose turn has come: it is served, and the room has claimed if it claims. */
  public int lastTurn() {
    return claims() ? claimed : progress.number().served();
  }

  /** The same room after it has claimed for the places up to this one. */
  public RoomState claimedFor(int place) {
    return new RoomState(terms, lastTicket, reserve, progress, drawn, place);
  }

  /** The same room, in which no place is reserved whose turn has not come. */
  public RoomState withLoweredReserve() {
    return new RoomState(
        terms, lastTicket, reserve.loweredTo(lastTurn()), progress, drawn, claimed);
  }

  /** The same room at that time, before which it has served nobody. */
  public RoomState standingStill(Instant now) {
    return with(progress.standingStill(now));
  }

  private RoomState with(RoomProgress newProgress) {
    return new RoomState(terms, lastTicket, reserve, newProgress, drawn, claimed);
  }

  /** The same room with these terms, if they are of a later revision. */
  public RoomState with(RoomTerms newTerms) {
    return newTerms.revision() > terms.revision()
        ? new RoomState(
            newTerms,
            lastTicket,
            reserve,
            progress.with(newTerms.room().admissionTime()),
            drawn,
            claimed)
        : this;
  }

  /**
   * Whether the turn of a ticket has come and the admission is over, so that the user can join
   * again. A ticket that was drawn counts as the last one of the draw.
   */
  public boolean isMissed(int ticket) {
    int place = drawn == null ? ticket : Math.max(ticket, drawn);
    var number = progress.number();
    return place <= lastTurn() && !progress.history().remaining(place, number).isPositive();
  }

  /**
   * The same room after the next ticket was given.
   *
   * @throws IllegalStateException if the reserve of tickets is used up
   */
  public RoomState withNextTicket() {
    if (lastTicket >= reserve.tickets()) {
      throw new IllegalStateException("no ticket above %d can be given".formatted(lastTicket));
    }
    return new RoomState(terms, lastTicket + 1, reserve, progress, drawn, claimed);
  }

  /**
   * The same room with a reserve, if it is of a later version.
   *
   * @param draw among how many tickets the order was drawn, or null; an earlier draw stays. The
   *     gaps before it are no gaps between the places that were drawn
   */
  public RoomState extended(RoomReserve other, @Nullable Integer draw) {
    boolean isDrawnNow = drawn == null && draw != null;
    return new RoomState(
        terms,
        lastTicket,
        reserve.latest(other),
        isDrawnNow ? progress.withoutGaps() : progress,
        isDrawnNow ? draw : drawn,
        claimed);
  }
}
