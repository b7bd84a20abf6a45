package io.firstcome.application.waitingroom;

import static java.util.stream.Collectors.toSet;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.paging.Pages;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.RoomRecords;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.WaitingRooms;
import io.firstcome.domain.waitingroom.RoomReading;
import io.firstcome.domain.waitingroom.RoomReserve;
import io.firstcome.domain.waitingroom.RoomState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the records of waiting rooms in the database: opens rooms, extends their reserves, notes
 * their state, and draws their order, according to the readings of {@link AdvanceRooms}. Any number
 * of instances may do this at the same time.
 *
 * <p>A room is opened as soon as the stock of its coupon is ready: at first, and after Redis has
 * lost it. Its record is changed before the room, so whatever happens in between, no later room
 * begins below what this one can reach.
 */
public final class KeepRooms {

  /** The tickets of one list of users in Redis. */
  private static final int QUEUE_PART = 128;

  private static final int COUPONS_A_PAGE = 1_000;

  /**
   * The reserve of tickets of a room that few users join, in seconds of its rate. After a loss the
   * room passes what was not used of it at {@code RoomProgress.GAP_SPEED} times the rate.
   */
  private static final int SECONDS_OF_RESERVE = 50;

  private static final int LEAST_RESERVE = 1_000;

  /** The reserve of tickets is a multiple of those that were given between two rounds. */
  private static final int ROUNDS_OF_RESERVE = 16;

  private final CouponRepository coupons;
  private final CouponCatalog catalog;
  private final WaitingRooms rooms;
  private final RoomRecords records;
  private final AdvanceRooms advanceRooms;
  private final KnownEpochs epochs;
  private final RoomReadings readings;
  private final RoomLimits limits;
  private final InstantSource clock;
  private final IssuanceObserver observer;

  private final Map<CouponId, Noted> noted = new ConcurrentHashMap<>();

  public KeepRooms(
      CouponRepository coupons,
      CouponCatalog catalog,
      WaitingRooms rooms,
      RoomRecords records,
      AdvanceRooms advanceRooms,
      KnownEpochs epochs,
      RoomReadings readings,
      RoomLimits limits,
      InstantSource clock,
      IssuanceObserver observer) {
    this.coupons = coupons;
    this.catalog = catalog;
    this.rooms = rooms;
    this.records = records;
    this.advanceRooms = advanceRooms;
    this.epochs = epochs;
    this.readings = readings;
    this.limits = limits;
    this.clock = clock;
    this.observer = observer;
  }

  /**
   * What this instance last read and noted of a room.
   *
   * @param epoch of the readings: a room that is opened again leaves numbers out
   * @param read in the latest round
   * @param state that was noted in the database
   * @param reserve in the database after that
   */
  private record Noted(
      Epoch epoch, RoomState read, RoomState state, RoomReserve reserve, Instant at) {}

  /**
   * Finds the coupons whose rooms are to be read and kept.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable;
   *     those that were found before stay
   */
  public void list() {
    var now = clock.instant();
    var found = new ArrayList<Coupon>();
    Pages.<Coupon, CouponId>forEach(
        after -> coupons.withWaitingRooms(now, RoomTimes.AROUND_USE, after, COUPONS_A_PAGE),
        Coupon::id,
        found::addAll);
    // Claims and phases follow the catalog, which learns at once that a coupon has ended.
    found.forEach(catalog::remember);
    var ids = found.stream().map(Coupon::id).collect(toSet());
    var ended = noted.keySet().stream().filter(id -> !ids.contains(id)).toList();
    if (!ended.isEmpty()) {
      coupons.findAll(ended).forEach(catalog::remember);
    }
    advanceRooms.read(found);
    noted.keySet().retainAll(ids);
  }

  /**
   * Keeps each room of a partition once. One whose stock fails does not delay the others.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public void round(Partition partition) {
    advanceRooms.of(partition).forEach(this::keep);
  }

  private void keep(Coupon coupon) {
    try {
      if (advanceRooms.isClosed(coupon.id())) {
        open(coupon, epochs.address(coupon));
      } else {
        readings.current(coupon.id()).ifPresent(reading -> keep(coupon, reading));
      }
    } catch (StockUnavailableException e) {
      observer.observe(new OperationObservation.RoundFailed("keeping a waiting room", e));
    }
  }

  private void open(Coupon coupon, StockAddress address) {
    records
        .change(
            address,
            // Places are reserved once users can be served.
            record -> record.opened(address.epoch(), QUEUE_PART, tickets(coupon)))
        .map(record -> record.atOpening(AdvanceRooms.terms(coupon)))
        .flatMap(state -> rooms.open(address, state))
        // The next round opens the room above it.
        .ifPresent(former -> records.change(address, record -> record.setBack().with(former)));
  }

  /** Tickets that are reserved in advance, of a room that few users join. */
  private int tickets(Coupon coupon) {
    long ofRate = (long) SECONDS_OF_RESERVE * room(coupon).admissionsPerSecond();
    return (int) Math.min(limits.tickets(), Math.max(LEAST_RESERVE, ofRate));
  }

  /** Places that are reserved in advance. */
  private int places(Coupon coupon) {
    return Math.toIntExact(
        Math.min(
            Integer.MAX_VALUE / 2,
            limits.placesFor().toMillis() * room(coupon).admissionsPerSecond() / 1_000));
  }

  private static WaitingRoom room(Coupon coupon) {
    return AdvanceRooms.terms(coupon).room();
  }

  /** In the epoch of the reading: in a later one the room may have given further tickets. */
  private void keep(Coupon coupon, RoomReading reading) {
    var address = new StockAddress(coupon.id(), coupon.partition(), reading.epoch());
    var state = withLoweredReserve(address, reading);
    var last = notedIn(reading.epoch(), coupon.id());
    var wanted = wantedReserve(coupon, reading, last == null ? state : last.read());
    if (last == null
        || isLow(state, wanted)
        || isNoteDue(state, last)
        // It was lowered and the database does not know it yet, or the other way round.
        || !state.reserve().equals(last.reserve())) {
      records
          .change(address, record -> record.with(state, wanted))
          .ifPresent(record -> {
            var reserve = record.reserve();
            noted.put(
                coupon.id(), new Noted(reading.epoch(), state, state, reserve, clock.instant()));
            if (!reserve.equals(state.reserve())) {
              rooms.extend(address, reserve, record.drawn());
            }
          });
    } else {
      noted.put(
          coupon.id(), new Noted(reading.epoch(), state, last.state(), last.reserve(), last.at()));
    }
    if (canBeDrawn(reading)) {
      records
          .draw(address, state.lastTicket())
          .ifPresent(drawn -> rooms.extend(address, state.reserve(), drawn));
    }
  }

  /**
   * Places are reserved before they are served; after a loss of the room all of them count as
   * served. So the reserve is lowered when a pause or the last slot ends that. A room that claims
   * has served places before their turn: they are released, too.
   */
  private RoomState withLoweredReserve(StockAddress address, RoomReading reading) {
    var state = reading.state();
    return state.reserve().places() > state.lastTurn() && state.isHalted(reading.stock())
        ? rooms
            .lower(address, state.reserve().version())
            .map(reserve -> state.extended(reserve, null))
            .orElse(state)
        : state;
  }

  private @Nullable Noted notedIn(Epoch epoch, CouponId couponId) {
    var latest = noted.get(couponId);
    return latest != null && latest.epoch().equals(epoch) ? latest : null;
  }

  private RoomReserve wantedReserve(Coupon coupon, RoomReading reading, RoomState before) {
    var state = reading.state();
    int given = Math.max(0, state.lastTicket() - before.lastTicket());
    int tickets = Math.max(tickets(coupon), ROUNDS_OF_RESERVE * given);
    return new RoomReserve(
        Math.max(state.lastTicket(), Math.min(limits.maxTickets(), state.lastTicket() + tickets)),
        state.lastPlaceAhead(reading.stock(), places(coupon)));
  }

  /** Whether half of the wanted reserve is used up. */
  private static boolean isLow(RoomState state, RoomReserve wanted) {
    return isLow(state.reserve().tickets(), wanted.tickets(), state.lastTicket())
        || isLow(state.reserve().places(), wanted.places(), served(state));
  }

  private static boolean isLow(int reserved, int wanted, int used) {
    return wanted > reserved && reserved - used < (wanted - used + 1) / 2;
  }

  private boolean isNoteDue(RoomState state, Noted last) {
    var now = clock.instant();
    boolean isTime = now.isBefore(last.at()) || !now.isBefore(last.at().plus(limits.noteEvery()));
    return isTime
        && (state.lastTicket() != last.state().lastTicket()
            || served(state) != served(last.state())
            || (hasAdmissions(last.state()) && !counted(state).equals(counted(last.state()))));
  }

  private static int served(RoomState state) {
    return state.progress().number().served();
  }

  private static Duration counted(RoomState state) {
    return state.progress().number().counted();
  }

  /** Whether admissions end at a time that has not counted: it must be noted when it has. */
  private static boolean hasAdmissions(RoomState state) {
    var history = state.progress().history();
    return !history.marks().isEmpty()
        && history
            .remaining(history.marks().getLast().served(), state.progress().number())
            .isPositive();
  }

  /** Whether there are tickets that are not in a gap, which has those that a loss left unused. */
  private static boolean hasUsers(RoomState state) {
    return state.lastTicket() > 0
        && state.progress().gaps().stream()
            .noneMatch(gap -> gap.after() == 0 && gap.to() >= state.lastTicket());
  }

  /**
   * Once the coupon can be claimed, by the stock's clock; the database checks its own. The reading
   * is later than the opening, so the last ticket of everybody who joined before is known. Without
   * users there is nothing to draw yet.
   */
  private static boolean canBeDrawn(RoomReading reading) {
    var state = reading.state();
    return state.isToBeDrawn() && hasUsers(state) && reading.stock().accepts();
  }
}
