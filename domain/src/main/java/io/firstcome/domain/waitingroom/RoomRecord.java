package io.firstcome.domain.waitingroom;

import io.firstcome.domain.issuance.Epoch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the system of record knows of a waiting room: its reserve, how it began in the latest epoch,
 * and its state as it was noted some time ago.
 *
 * @param opening in the latest epoch in which it was opened
 * @param lastTicket the last ticket that had been given
 * @param counted the time that had counted
 * @param marks of the history
 * @param gaps that had not been passed
 * @param drawn as in {@link RoomState}
 */
public record RoomRecord(
    RoomReserve reserve,
    Opening opening,
    int lastTicket,
    Duration counted,
    List<ServingHistory.Mark> marks,
    List<Gap> gaps,
    @Nullable Integer drawn) {

  /** Of a room that was never opened. */
  public static final RoomRecord EMPTY =
      new RoomRecord(
          RoomReserve.NONE,
          new Opening(Epoch.NONE, 0, 0),
          0,
          Duration.ZERO,
          List.of(),
          List.of(),
          null);

  /** The smallest one of further gaps is passed at the usual rate. */
  private static final int MAX_GAPS = 8;

  /**
   * How a room began in an epoch.
   *
   * @param lastTicket the last ticket that can have been given before
   * @param served the last place that can have been served before
   */
  public record Opening(Epoch epoch, int lastTicket, int served) {}

  public RoomRecord {
    marks = List.copyOf(marks);
    gaps = List.copyOf(gaps);
  }

  /**
   * The record of a room that is opened in an epoch, above all tickets that can have been given and
   * with all places served that can have been served. The same record if it was opened in this
   * epoch before and nobody has joined it since: so it does not matter how many instances open it.
   *
   * @param queuePart the number of the next ticket is one more than a multiple of it
   * @param tickets first reserve of tickets; places are reserved when they can be served
   */
  public RoomRecord opened(Epoch epoch, int queuePart, int tickets) {
    if (opening.epoch().equals(epoch) && lastTicket <= opening.lastTicket()) {
      return this;
    }
    int start = Math.ceilDiv(reserve.tickets(), queuePart) * queuePart;
    int served = reserve.places();
    return new RoomRecord(
        new RoomReserve(reserve.version() + 1, start + tickets, served),
        new Opening(epoch, start, served),
        start,
        counted,
        marks,
        gapsUntil(start),
        drawn);
  }

  /** Nobody may have joined since the gap before: then it is extended. */
  private List<Gap> gapsUntil(int start) {
    var all = new ArrayList<>(gaps);
    int after = lastTicket;
    if (!all.isEmpty() && all.getLast().to() == after) {
      after = all.removeLast().after();
    }
    if (start > after) {
      all.add(new Gap(after, start));
    }
    if (all.size() > MAX_GAPS) {
      all.remove(Collections.min(all, Comparator.comparingInt(gap -> gap.to() - gap.after())));
    }
    return all;
  }

  /** How the room begins according to its {@link #opening}. The stock counts from its own time. */
  public RoomState atOpening(RoomTerms terms) {
    var number = new ServingNumber(opening.served(), 0, Instant.EPOCH, counted);
    return new RoomState(
        terms,
        opening.lastTicket(),
        reserve,
        new RoomProgress(
            number,
            new ServingHistory(terms.room().admissionTime(), marks)
                .upTo(number.served())
                .with(number),
            gaps.stream().filter(gap -> gap.to() > number.served()).toList(),
            RoomOffer.NONE),
        drawn,
        opening.served());
  }

  /**
   * The record with a reserve that is not lower than wanted, and with the state that was read,
   * unless a later one was noted before. A reserve that was lowered in the room is noted with it.
   */
  public RoomRecord with(RoomState state, RoomReserve wanted) {
    var progress = state.progress();
    var latest = reserve.version() < state.reserve().version() ? state.reserve() : reserve;
    boolean isEarlier =
        progress.number().counted().compareTo(counted) < 0
            || state.lastTicket() < lastTicket
            || (drawn != null && state.drawn() == null);
    return isEarlier
        ? with(latest, wanted)
        : new RoomRecord(
            latest.raisedTo(wanted),
            opening,
            state.lastTicket(),
            progress.number().counted(),
            progress.history().marks(),
            progress.gaps(),
            drawn);
  }

  /**
   * The record after the system of record was set back to an older state: the room is opened anew
   * even if it was opened in this epoch before.
   */
  public RoomRecord setBack() {
    return new RoomRecord(
        reserve, new Opening(Epoch.NONE, 0, 0), lastTicket, counted, marks, gaps, drawn);
  }

  /** The record with a reserve that is not lower. */
  public RoomRecord with(RoomReserve wanted) {
    return with(reserve, wanted);
  }

  private RoomRecord with(RoomReserve latest, RoomReserve wanted) {
    return new RoomRecord(
        latest.raisedTo(wanted), opening, lastTicket, counted, marks, gaps, drawn);
  }

  /** The record after the order was drawn among that many tickets, which were given. */
  public RoomRecord drawnAmong(int tickets) {
    return new RoomRecord(
        reserve, opening, Math.max(lastTicket, tickets), counted, marks, List.of(), tickets);
  }
}
