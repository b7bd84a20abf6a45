package io.firstcome.application.waitingroom;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.observation.ClaimObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.port.BoundedMaps;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.WaitingRooms;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.waitingroom.RoomReading;
import io.firstcome.domain.waitingroom.RoomState;
import io.firstcome.domain.waitingroom.Turns;
import io.firstcome.domain.waitingroom.Turns.Turn;
import io.firstcome.domain.waitingroom.TurnsOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;

/**
 * Claims for the users of rooms that do so, in the order of their places, as soon as these are
 * served. Any number of instances may do this at the same time: a call whose places another
 * instance has claimed for has no effect. A call and its place take effect in one step of the
 * stock, so an instance that is killed leaves nobody out.
 */
public final class ClaimTurns {

  /** So that a long queue of one room does not delay other rooms for long. */
  private static final int CALLS_A_ROUND = 40;

  private static final int MAX_ROOMS = 1_000;

  private final AdvanceRooms advanceRooms;
  private final WaitingRooms rooms;
  private final RoomReadings readings;
  private final Draws draws;
  private final PresentedTickets presentedTickets;
  private final CodeKeys codeKeys;
  private final RoomLimits limits;
  private final IssuanceObserver observer;

  /** The readings according to which this instance has claimed. */
  private final ConcurrentMap<CouponId, RoomReading> done;

  public ClaimTurns(
      AdvanceRooms advanceRooms,
      WaitingRooms rooms,
      RoomReadings readings,
      Draws draws,
      PresentedTickets presentedTickets,
      CodeKeys codeKeys,
      RoomLimits limits,
      BoundedMaps maps,
      IssuanceObserver observer) {
    this.advanceRooms = advanceRooms;
    this.rooms = rooms;
    this.readings = readings;
    this.draws = draws;
    this.presentedTickets = presentedTickets;
    this.codeKeys = codeKeys;
    this.limits = limits;
    this.observer = observer;
    this.done = maps.create(MAX_ROOMS);
  }

  /**
   * Claims for each room of a partition, once according to each reading. A room whose stock fails
   * does not keep the others from it.
   */
  public void round(Partition partition) {
    advanceRooms.of(partition).stream()
        .filter(coupon -> AdvanceRooms.terms(coupon).room().mode() == WaitingRoom.Mode.CLAIM)
        .forEach(coupon ->
            readings
                .current(coupon.id())
                .filter(reading -> !reading.equals(done.put(coupon.id(), reading)))
                .ifPresent(reading -> claim(coupon, reading)));
  }

  private void claim(Coupon coupon, RoomReading reading) {
    if (!codeKeys.isInstalled(coupon.codeKeyVersion())) {
      observer.observe(new ClaimObservation.CodeKeyMissing(coupon.id(), coupon.codeKeyVersion()));
      return;
    }
    var address = new StockAddress(coupon.id(), coupon.partition(), reading.epoch());
    try {
      presentedTickets.restore(rooms, address);
      var state = reading.state();
      if (reading.stock().accepts() && !state.isToBeDrawn() && !state.terms().room().isPaused()) {
        claim(coupon, address, state);
      }
    } catch (StockUnavailableException e) {
      observer.observe(new OperationObservation.RoundFailed("claiming for a waiting room", e));
    }
  }

  private void claim(Coupon coupon, StockAddress address, RoomState state) {
    int last = Math.min(state.progress().number().served(), state.reserve().places());
    int after = state.claimed();
    for (int calls = 0; after < last && calls < CALLS_A_ROUND; calls++) {
      int to = Math.min(last, after + rooms.maxTurnsPerCall());
      var outcome = claim(coupon, turns(coupon, address, state, after, to), address);
      if (!outcome.equals(new TurnsOutcome.Claimed(to))) {
        // Another instance claims, or the coupon cannot be claimed at the moment.
        return;
      }
      after = to;
    }
  }

  private Turns turns(Coupon coupon, StockAddress address, RoomState state, int after, int to) {
    var tickets =
        IntStream.rangeClosed(after + 1, to)
            .mapToObj(place -> draws.ticketAt(place, coupon, state))
            .toList();
    var users = rooms.users(address, tickets);
    var turns = new ArrayList<Turn>();
    for (int i = 0; i < tickets.size(); i++) {
      var user = users.get(tickets.get(i));
      if (user != null) {
        turns.add(new Turn(after + 1 + i, tickets.get(i), new Claim(user, null)));
      }
    }
    return new Turns(after, to, turns);
  }

  private TurnsOutcome claim(Coupon coupon, Turns turns, StockAddress address) {
    return switch (call(coupon, turns, address)) {
      case TurnsOutcome.PseudonymsNeeded() ->
          call(coupon, turns.with(codeKeys.pseudonyms(coupon.codeKeyVersion())), address);
      case TurnsOutcome.Claimed claimed -> claimed;
      case TurnsOutcome.OtherTurns other -> other;
    };
  }

  private TurnsOutcome call(Coupon coupon, Turns turns, StockAddress address) {
    long started = System.nanoTime();
    boolean answered = false;
    try {
      var outcome = rooms.claim(address, coupon.campaign(), turns, limits.callTime());
      answered = true;
      return outcome;
    } finally {
      observer.observe(
          new ClaimObservation.CallEnded(
              coupon.id(),
              turns.users().stream().map(turn -> turn.claim().userId()).toList(),
              List.of(),
              Duration.ofNanos(System.nanoTime() - started),
              answered));
    }
  }
}
