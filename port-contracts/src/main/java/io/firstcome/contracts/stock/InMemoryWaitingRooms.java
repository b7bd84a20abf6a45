package io.firstcome.contracts.stock;

import static java.util.Objects.requireNonNull;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.WaitingRooms;
import io.firstcome.domain.waitingroom.JoinOutcome;
import io.firstcome.domain.waitingroom.RoomReading;
import io.firstcome.domain.waitingroom.RoomReserve;
import io.firstcome.domain.waitingroom.RoomState;
import io.firstcome.domain.waitingroom.RoomStock;
import io.firstcome.domain.waitingroom.RoomTerms;
import io.firstcome.domain.waitingroom.Ticket;
import io.firstcome.domain.waitingroom.Turns;
import io.firstcome.domain.waitingroom.TurnsOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The in-memory reference of waiting rooms: every rule of the port. */
final class InMemoryWaitingRooms implements WaitingRooms {

  private final InMemoryServer server;
  private final InMemoryStock stocks;

  InMemoryWaitingRooms(InMemoryServer server, InMemoryStock stocks) {
    this.server = server;
    this.stocks = stocks;
  }

  @Override
  public int maxCallsInFlight() {
    return 4;
  }

  @Override
  public int maxJoinsPerCall() {
    return 512;
  }

  @Override
  public CompletionStage<List<JoinOutcome>> join(
      StockAddress coupon, int maxTickets, List<Claim> users, Duration within) {
    try {
      return CompletableFuture.completedStage(
          server.atomically(() -> {
            var stock = server.openCoupon(coupon);
            if (stock.room == null || !stock.roomEpoch.equals(coupon.epoch())) {
              throw new StockUnavailableException(
                  Effect.NONE, "no waiting room in epoch " + coupon.epoch(), null);
            }
            requireInTime(within);
            return join(stock, coupon, maxTickets, users);
          }));
    } catch (StockUnavailableException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private List<JoinOutcome> join(
      InMemoryServer.Stock stock, StockAddress coupon, int maxTickets, List<Claim> users) {
    if (stock.hasErasedUsers && users.getFirst().pseudonym() == null) {
      return Collections.nCopies(
          users.size(), new JoinOutcome.NotJoined(new ClaimOutcome.Repeat()));
    }
    var room = requireNonNull(stock.room).at(now(), roomStock(stock, coupon.partition()));
    var refusal = refusal(stock, room);
    var outcomes = new ArrayList<JoinOutcome>();
    for (var user : users) {
      var known = known(stock, room, coupon, user);
      if (known != null) {
        outcomes.add(known);
      } else if (refusal != null) {
        outcomes.add(new JoinOutcome.NotJoined(refusal));
      } else if (room.lastTicket() >= Math.min(maxTickets, room.reserve().tickets())) {
        outcomes.add(new JoinOutcome.NotJoined(new ClaimOutcome.Busy()));
      } else {
        room = room.withNextTicket();
        stock.tickets.put(user.userId(), room.lastTicket());
        outcomes.add(joined(room.lastTicket(), coupon));
      }
    }
    stock.room = room;
    return outcomes;
  }

  private static @Nullable JoinOutcome known(
      InMemoryServer.Stock stock, RoomState room, StockAddress coupon, Claim user) {
    var mark = stock.ledger.get(user.userId());
    if (mark != null) {
      return new JoinOutcome.NotJoined(InMemoryStock.known(mark));
    }
    var markOfErased =
        stock.hasErasedUsers ? stock.ledger.get(requireNonNull(user.pseudonym())) : null;
    if (markOfErased != null) {
      return new JoinOutcome.NotJoined(InMemoryStock.ofErased(markOfErased));
    }
    var ticket = stock.tickets.get(user.userId());
    return ticket == null || room.isMissed(ticket) ? null : joined(ticket, coupon);
  }

  private static JoinOutcome joined(int number, StockAddress coupon) {
    return new JoinOutcome.Joined(new Ticket(number, coupon.epoch()));
  }

  private @Nullable ClaimOutcome refusal(InMemoryServer.Stock stock, RoomState room) {
    var terms = stock.terms();
    var joinsFrom = room.terms().room().joinsFrom();
    if (terms.status() == CouponStatus.CLOSED || !now().isBefore(terms.window().closesAt())) {
      return new ClaimOutcome.Closed();
    }
    if (now().isBefore(joinsFrom)) {
      return new ClaimOutcome.NotOpen(joinsFrom);
    }
    if (stock.free() == 0) {
      return new ClaimOutcome.SoldOut();
    }
    boolean isOutdated = room.lastTicket() == 0 && terms.revision() > room.terms().revision();
    return terms.isFrozen() || isOutdated ? new ClaimOutcome.Busy() : null;
  }

  @Override
  public Readings advance(
      Partition partition, Epoch epoch, Map<CouponId, RoomTerms> terms, Duration within) {
    return server.atomically(() -> {
      if (!server.partition(partition).fence().isOpenAt(epoch)) {
        throw new StockFencedException("not open in epoch " + epoch);
      }
      requireInTime(within);
      Map<CouponId, RoomReading> open = new HashMap<>();
      Set<CouponId> closed = new HashSet<>();
      terms.forEach((couponId, later) -> {
        var stock = server.partition(partition).stock(couponId);
        if (!stock.isReadyIn(epoch)) {
          return;
        }
        if (stock.room == null || !stock.roomEpoch.equals(epoch)) {
          closed.add(couponId);
          return;
        }
        var seen = roomStock(stock, partition);
        stock.room = stock.room.at(now(), seen).with(later);
        open.put(couponId, new RoomReading(epoch, stock.room, seen));
      });
      return new Readings(open, closed);
    });
  }

  @Override
  public Optional<RoomReserve> open(StockAddress coupon, RoomState state) {
    return server.atomically(() -> {
      if (!server.partition(coupon.partition()).fence().isOpenAt(coupon.epoch())) {
        throw new StockFencedException("not open in epoch " + coupon.epoch());
      }
      var stock = server.openCoupon(coupon);
      var former = stock.room;
      if (former != null && stock.roomEpoch.equals(coupon.epoch())) {
        return Optional.empty();
      }
      if (former != null
          && former.reserve().version() >= state.reserve().version()
          && (former.reserve().tickets() > state.lastTicket()
              || former.reserve().places() > state.progress().number().served())) {
        return Optional.of(former.reserve());
      }
      var opened = state.standingStill(now());
      stock.room = former == null ? opened : opened.claimedFor(former.claimed());
      stock.roomEpoch = coupon.epoch();
      return Optional.empty();
    });
  }

  @Override
  public void extend(StockAddress coupon, RoomReserve reserve, @Nullable Integer drawn) {
    server.atomically(() -> {
      var stock = fenced(coupon);
      if (stock.room != null && stock.roomEpoch.equals(coupon.epoch())) {
        stock.room = stock.room.extended(reserve, drawn);
      }
      return true;
    });
  }

  @Override
  public Optional<RoomReserve> lower(StockAddress coupon, int version) {
    return server.atomically(() -> {
      var stock = fenced(coupon);
      if (stock.room == null
          || !stock.roomEpoch.equals(coupon.epoch())
          || stock.room.reserve().version() != version) {
        return Optional.empty();
      }
      stock.room = stock.room.withLoweredReserve();
      return Optional.of(stock.room.reserve());
    });
  }

  /** The stock of a coupon whose partition is open in the epoch of the address. */
  private InMemoryServer.Stock fenced(StockAddress coupon) {
    if (!server.partition(coupon.partition()).fence().isOpenAt(coupon.epoch())) {
      throw new StockFencedException("not open in epoch " + coupon.epoch());
    }
    return server.partition(coupon.partition()).stock(coupon.couponId());
  }

  @Override
  public int maxTurnsPerCall() {
    return 512;
  }

  @Override
  public Map<Integer, UserId> users(StockAddress coupon, List<Integer> tickets) {
    return server.atomically(() -> {
      Map<Integer, UserId> users = new HashMap<>();
      server
          .openCoupon(coupon)
          .tickets
          .forEach((user, ticket) -> {
            if (tickets.contains(ticket)) {
              users.put(ticket, user);
            }
          });
      return users;
    });
  }

  @Override
  public TurnsOutcome claim(
      StockAddress coupon, @Nullable Campaign campaign, Turns turns, Duration within) {
    return server.atomically(() -> {
      var stock = server.openCoupon(coupon);
      var room = stock.room;
      if (room == null
          || !stock.roomEpoch.equals(coupon.epoch())
          || room.terms().room().mode() != WaitingRoom.Mode.CLAIM
          || room.claimed() != turns.after()
          || room.progress().number().served() < turns.to()
          || room.reserve().places() < turns.to()
          || room.terms().room().isPaused()
          || room.isToBeDrawn()) {
        return new TurnsOutcome.OtherTurns();
      }
      requireInTime(within);
      var users =
          turns.users().stream()
              .filter(turn ->
                  Integer.valueOf(turn.ticket()).equals(stock.tickets.get(turn.claim().userId())))
              .toList();
      int last = turns.to();
      if (!users.isEmpty()) {
        var outcomes =
            stocks.claim(stock, coupon, campaign, users.stream().map(Turns.Turn::claim).toList());
        if (outcomes.getFirst() instanceof ClaimOutcome.Repeat) {
          return new TurnsOutcome.PseudonymsNeeded();
        }
        for (int i = 0; i < users.size(); i++) {
          if (!isFinal(outcomes.get(i))) {
            last = users.get(i).place() - 1;
            break;
          }
        }
      }
      stock.room = room.claimedFor(last);
      return new TurnsOutcome.Claimed(last);
    });
  }

  private static boolean isFinal(ClaimOutcome outcome) {
    return switch (outcome) {
      case ClaimOutcome.Accepted _,
          ClaimOutcome.Issued _,
          ClaimOutcome.AlreadyIssued _,
          ClaimOutcome.Returned _,
          ClaimOutcome.Rejected _,
          ClaimOutcome.CampaignLimit _ ->
          true;
      case ClaimOutcome.SoldOut _,
          ClaimOutcome.NotOpen _,
          ClaimOutcome.Closed _,
          ClaimOutcome.Paused _,
          ClaimOutcome.Busy _,
          ClaimOutcome.Repeat _,
          ClaimOutcome.Withheld _ ->
          false;
    };
  }

  @Override
  public void restore(StockAddress coupon, Map<UserId, Integer> tickets) {
    server.atomically(() -> {
      var stock = fenced(coupon);
      if (stock.room != null && stock.roomEpoch.equals(coupon.epoch())) {
        restore(tickets, stock, stock.room);
      }
      return true;
    });
  }

  private static void restore(
      Map<UserId, Integer> tickets, InMemoryServer.Stock stock, RoomState room) {
    tickets.forEach((user, ticket) -> {
      var given = stock.tickets.get(user);
      boolean isInOrder = room.drawn() == null;
      boolean isPassed = isInOrder && ticket <= room.claimed();
      boolean isEarlier = isInOrder && given != null && (given > ticket || given <= room.claimed());
      if (!isPassed && (given == null || isEarlier)) {
        stock.tickets.put(user, ticket);
      }
    });
  }

  @Override
  public void forget(StockAddress coupon, UserId user) {
    server.atomically(() -> {
      server.openCoupon(coupon).tickets.remove(user);
      return true;
    });
  }

  private RoomStock roomStock(InMemoryServer.Stock stock, Partition partition) {
    var terms = stock.terms();
    var window = terms.window();
    boolean accepts =
        terms.status() == CouponStatus.ACTIVE
            && !now().isBefore(window.opensAt())
            && now().isBefore(window.closesAt())
            && !terms.isFrozen()
            && !server.partition(partition).logIsFull();
    return new RoomStock(
        accepts,
        stock.next() > terms.totalQuantity(),
        stock.lease == SoldOutLeases.NONE ? stock.free() : 0,
        terms.totalQuantity());
  }

  private Instant now() {
    return server.now().truncatedTo(ChronoUnit.MILLIS);
  }

  private static void requireInTime(Duration within) {
    if (!within.isPositive()) {
      throw new StockUnavailableException(Effect.NONE, "the call came after its deadline", null);
    }
  }
}
