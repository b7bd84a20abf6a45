package io.firstcome.domain.port;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.waitingroom.JoinOutcome;
import io.firstcome.domain.waitingroom.RoomReading;
import io.firstcome.domain.waitingroom.RoomReserve;
import io.firstcome.domain.waitingroom.RoomState;
import io.firstcome.domain.waitingroom.RoomTerms;
import io.firstcome.domain.waitingroom.Turns;
import io.firstcome.domain.waitingroom.TurnsOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The waiting rooms of coupons, beside their stock and under the same fence.
 *
 * <p>A room is open in one epoch. It gives tickets in the order of arrival, and advances its number
 * whenever it is called; both never exceed its {@link io.firstcome.domain.waitingroom.RoomReserve}.
 * If it is lost, {@link #open} continues it in a later epoch. Every call carries the epoch that the
 * caller knows, and fails with {@link StockFencedException} if the partition is not open in it.
 */
public interface WaitingRooms {

  /** How many calls of one room may be in flight at a time and still take effect in order. */
  int maxCallsInFlight();

  /** The most users that one call may carry. */
  int maxJoinsPerCall();

  /**
   * Gives tickets of one room to users, in the order of the list. One call is atomic and, once
   * answered, durable; calls take effect in the order in which they are made.
   *
   * <p>The order for each user: the mark in the ledger, of the user, or of the pseudonym if users
   * were erased; then the ticket that the user has, unless {@link
   * io.firstcome.domain.waitingroom.RoomState#isMissed it is missed}; then whether the coupon has
   * ended, the time from which users can join, and whether a slot is free; then whether the coupon
   * is frozen; then the reserve and the maximum.
   *
   * @param maxTickets the most tickets that the room gives
   * @param users in order of arrival; at least one, at most {@link #maxJoinsPerCall()}; all with
   *     pseudonyms, or none
   * @param within the call takes effect within this time, or never
   * @return an outcome for each user, in the same order; or completed exceptionally with a {@link
   *     StockUnavailableException}, also if there is no room in this epoch. It may never complete:
   *     the caller needs a timeout
   */
  CompletionStage<List<JoinOutcome>> join(
      StockAddress coupon, int maxTickets, List<Claim> users, Duration within);

  /**
   * What was read of several rooms. Those of coupons whose stock is not ready are left out.
   *
   * @param open the rooms that are open in the epoch
   * @param closed coupons whose room must be opened first
   */
  record Readings(Map<CouponId, RoomReading> open, Set<CouponId> closed) {

    public Readings {
      open = Map.copyOf(open);
      closed = Set.copyOf(closed);
    }
  }

  /**
   * Advances rooms and reads them. Terms of a later revision than those of a room replace them.
   *
   * @param terms of rooms of this partition
   * @param within the call takes effect within this time, or never
   * @throws StockUnavailableException if the server did not confirm the call
   */
  Readings advance(
      Partition partition, Epoch epoch, Map<CouponId, RoomTerms> terms, Duration within);

  /**
   * Opens a room in the epoch of the address, unless it is open. If an earlier room was not lost,
   * tickets that users have in it stay, and so does the last place that it has claimed for.
   *
   * @param state how it begins, with a reserve that the system of record knows
   * @return the reserve of a room of an earlier epoch that the server still has, if it is above the
   *     beginning and of no earlier version: nothing happened. The system of record was set back,
   *     and must know this reserve before the room is opened above it
   * @throws StockUnavailableException if the server did not confirm the call
   */
  Optional<RoomReserve> open(StockAddress coupon, RoomState state);

  /**
   * Extends the reserve of a room that is open in the epoch of the address, and adds the draw. No
   * effect if it is not open. Idempotent.
   *
   * @param reserve which the system of record knows; see {@link RoomReserve#latest}
   * @param drawn among how many tickets the order was drawn, or null; an earlier draw stays
   * @throws StockUnavailableException if the server did not confirm the call
   */
  void extend(StockAddress coupon, RoomReserve reserve, @Nullable Integer drawn);

  /**
   * Lowers the reserve of a room that is open in the epoch of the address to the last place whose
   * turn has come. No effect if its reserve has another version, or it is not open.
   *
   * @param version of the reserve that was read
   * @return the lowered reserve, which the system of record may note; empty if nothing happened
   * @throws StockUnavailableException if the server did not confirm the call
   */
  Optional<RoomReserve> lower(StockAddress coupon, int version);

  /**
   * The users who have tickets in a room that claims for its users.
   *
   * @param tickets numbers of tickets, at most {@link #maxTurnsPerCall()}
   * @return the users by ticket; tickets that no user has, or whose user is not known after a loss
   *     of data, are left out
   * @throws StockUnavailableException if the users could not be read
   */
  Map<Integer, UserId> users(StockAddress coupon, List<Integer> tickets);

  /** The most places that one call to {@link #claim} may carry. */
  int maxTurnsPerCall();

  /**
   * Claims the coupon for users of a room whose places are served, and notes the last place in the
   * same atomic step: so it claims for each of them once, however many instances call this.
   *
   * <p>Nothing happens while the room is paused, its order is not drawn, or not all of the places
   * are reserved.
   *
   * <p>The claims are those of {@link CouponStock#claim}, in the order of the places. They end
   * before the first place whose user gets no final outcome: the coupon is not open, closed, paused
   * or sold out, its free slots are withheld, or the server is busy. A user who does not have the
   * ticket any more is passed.
   *
   * @param campaign to which the coupon belongs, or null
   * @param turns which begin after the last place that the room has claimed for; all with
   *     pseudonyms, or none
   * @param within the call takes effect within this time, or never
   * @throws StockUnavailableException if the server did not confirm the call
   */
  TurnsOutcome claim(
      StockAddress coupon, @Nullable Campaign campaign, Turns turns, Duration within);

  /**
   * Gives users of a room that claims the tickets back which they had before the room lost its
   * data. A user who has another one keeps that, unless it is later or passed; if the order is
   * drawn, in any case. Tickets that are passed have no effect. Idempotent.
   *
   * @param tickets numbers of tickets of earlier epochs; at most {@link #maxTurnsPerCall()}
   * @throws StockUnavailableException if the server did not confirm the call
   */
  void restore(StockAddress coupon, Map<UserId, Integer> tickets);

  /**
   * Removes the ticket of a user who was erased, if there is one. A user who joins again gets
   * another one. Idempotent.
   *
   * @throws StockUnavailableException if the server did not confirm the call
   */
  void forget(StockAddress coupon, UserId user);
}
