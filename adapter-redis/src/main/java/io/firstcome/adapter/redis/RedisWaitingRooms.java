package io.firstcome.adapter.redis;

import static java.util.Objects.requireNonNull;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.WaitingRooms;
import io.firstcome.domain.waitingroom.JoinOutcome;
import io.firstcome.domain.waitingroom.RoomOffer;
import io.firstcome.domain.waitingroom.RoomProgress;
import io.firstcome.domain.waitingroom.RoomReading;
import io.firstcome.domain.waitingroom.RoomReserve;
import io.firstcome.domain.waitingroom.RoomState;
import io.firstcome.domain.waitingroom.RoomStock;
import io.firstcome.domain.waitingroom.RoomTerms;
import io.firstcome.domain.waitingroom.ServingHistory;
import io.firstcome.domain.waitingroom.ServingNumber;
import io.firstcome.domain.waitingroom.Ticket;
import io.firstcome.domain.waitingroom.Turns;
import io.firstcome.domain.waitingroom.TurnsOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The waiting rooms in Redis. */
final class RedisWaitingRooms implements WaitingRooms {

  private static final String YES = "1";
  private static final String NO = "";

  /** The number of arguments of {@code join.lua} before the users. */
  private static final int FIRST_USER = 6;

  private static final int JOINED = 20;

  private final RedisConnection joins;
  private final RedisConnection others;
  private final ReplicaAcks copies;
  private final ServerClock clock;
  private final RedisLimits limits;
  private final TurnCalls turnCalls;

  /**
   * @param joins carries no slow calls
   */
  RedisWaitingRooms(
      RedisConnection joins,
      RedisConnection others,
      ReplicaAcks copies,
      ServerClock clock,
      RedisLimits limits) {
    this.joins = joins;
    this.others = others;
    this.copies = copies;
    this.clock = clock;
    this.limits = limits;
    this.turnCalls = new TurnCalls(others, clock, limits);
  }

  @Override
  public int maxCallsInFlight() {
    return limits.callsInFlight();
  }

  @Override
  public int maxJoinsPerCall() {
    return limits.claimsPerCall();
  }

  @Override
  public CompletionStage<List<JoinOutcome>> join(
      StockAddress coupon, int maxTickets, List<Claim> users, Duration within) {
    try {
      return sendJoin(coupon, maxTickets, users, within)
          .handle((reply, failure) -> {
            if (failure != null) {
              throw RedisErrors.isUnknownScript(failure)
                  ? new StockFencedException("Redis did not know the script that joins a room")
                  : RedisErrors.translate(failure);
            }
            return outcomes(reply, coupon, users.size());
          })
          .thenCompose(outcomes -> copies.made(coupon).thenApply(made -> outcomes));
    } catch (StockUnavailableException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private CompletionStage<List<Object>> sendJoin(
      StockAddress coupon, int maxTickets, List<Claim> users, Duration within) {
    var span = clock.from(within);
    boolean havePseudonyms = users.getFirst().pseudonym() != null;
    int count = users.size();
    var args = new String[FIRST_USER + (havePseudonyms ? 2 : 1) * count];
    args[0] = coupon.epoch().toString();
    args[1] = Long.toString(span.notBefore());
    args[2] = Long.toString(span.notAfter());
    args[3] = Integer.toString(limits.logCap());
    args[4] = Integer.toString(maxTickets);
    args[5] = Integer.toString(count);
    for (int i = 0; i < count; i++) {
      var user = users.get(i);
      args[FIRST_USER + i] = user.userId().value();
      if (havePseudonyms) {
        args[FIRST_USER + count + i] = requireNonNull(user.pseudonym()).value();
      }
    }
    return joins.send(
        LuaScript.JOIN,
        new String[] {
          RedisKeys.fence(coupon.partition()),
          RedisKeys.stock(coupon),
          RedisKeys.ledger(coupon),
          RedisKeys.returned(coupon),
          RedisKeys.handoff(coupon.partition()),
          RedisKeys.room(coupon),
          RedisKeys.tickets(coupon),
          RedisKeys.queue(coupon)
        },
        args);
  }

  private static List<JoinOutcome> outcomes(List<Object> reply, StockAddress coupon, int users) {
    RedisConnection.checked(reply);
    return switch ((String) reply.getFirst()) {
      case "PSEUDONYMS" ->
          Collections.nCopies(users, new JoinOutcome.NotJoined(new ClaimOutcome.Repeat()));
      case "CLOSED" ->
          throw new StockUnavailableException(
              Effect.NONE, "the waiting room is not open in this epoch yet", null);
      case "LATE" -> throw RedisErrors.late();
      default -> {
        var joinsFrom = Instant.ofEpochMilli((Long) reply.get(1));
        yield reply.stream()
            .skip(2)
            .map(answer -> outcome((Long) answer, coupon, joinsFrom))
            .toList();
      }
    };
  }

  private static JoinOutcome outcome(long answer, StockAddress coupon, Instant joinsFrom) {
    int code = ScriptReplies.code(answer);
    if (code == JOINED) {
      return new JoinOutcome.Joined(new Ticket(ScriptReplies.number(answer), coupon.epoch()));
    }
    return new JoinOutcome.NotJoined(
        switch (code) {
          case 1 -> new ClaimOutcome.AlreadyIssued(ScriptReplies.slot(answer));
          case 2 -> new ClaimOutcome.Returned();
          case 3 -> new ClaimOutcome.Rejected();
          case 4 -> new ClaimOutcome.SoldOut();
          case 5 -> new ClaimOutcome.NotOpen(joinsFrom);
          case 6 -> new ClaimOutcome.Closed();
          case 8 -> new ClaimOutcome.Busy();
          default -> throw new IllegalStateException("unknown reply of join.lua: " + answer);
        });
  }

  @Override
  public Readings advance(
      Partition partition, Epoch epoch, Map<CouponId, RoomTerms> terms, Duration within) {
    var span = clock.from(within);
    var inOrder = new LinkedHashMap<>(terms);
    var keys = new ArrayList<String>();
    keys.add(RedisKeys.fence(partition));
    keys.add(RedisKeys.handoff(partition));
    var args = new ArrayList<String>();
    args.add(epoch.toString());
    args.add(Long.toString(span.notBefore()));
    args.add(Long.toString(span.notAfter()));
    args.add(Integer.toString(limits.logCap()));
    inOrder.forEach((couponId, wanted) -> {
      var coupon = new StockAddress(couponId, partition, epoch);
      keys.addAll(
          List.of(RedisKeys.stock(coupon), RedisKeys.returned(coupon), RedisKeys.room(coupon)));
      args.addAll(terms(wanted));
    });
    var reply =
        others.call(LuaScript.ADVANCE, keys.toArray(String[]::new), args.toArray(String[]::new));
    if (reply.getFirst().equals("LATE")) {
      throw RedisErrors.late();
    }
    var now = Instant.ofEpochMilli((Long) reply.get(1));
    Map<CouponId, RoomReading> open = new HashMap<>();
    Set<CouponId> closed = new HashSet<>();
    int i = 2;
    for (var couponId : inOrder.keySet()) {
      if (reply.get(i++) instanceof List<?> fields) {
        if (fields.isEmpty()) {
          closed.add(couponId);
        } else {
          open.put(couponId, reading(new Fields(fields), epoch, now));
        }
      }
    }
    return new Readings(open, closed);
  }

  /** The terms in the order of the scripts. */
  private static List<String> terms(RoomTerms terms) {
    var room = terms.room();
    return List.of(
        Integer.toString(terms.revision()),
        Integer.toString(room.admissionsPerSecond()),
        yesOrNo(room.isPaused()),
        Long.toString(room.admissionTime().toMillis()),
        Long.toString(room.joinsFrom().toEpochMilli()),
        yesOrNo(room.order() == WaitingRoom.Order.DRAW),
        yesOrNo(room.mode() == WaitingRoom.Mode.CLAIM));
  }

  /** The fields that {@code advance.lua} replies for a room, in their order. */
  private static final class Fields {

    private final List<?> values;
    private int next;

    Fields(List<?> values) {
      this.values = values;
    }

    long number() {
      return (Long) values.get(next++);
    }

    int integer() {
      return Math.toIntExact(number());
    }

    String text() {
      return (String) values.get(next++);
    }

    boolean isYes() {
      return text().equals(YES);
    }
  }

  private static RoomReading reading(Fields fields, Epoch epoch, Instant now) {
    int revision = fields.integer();
    int perSecond = fields.integer();
    boolean isPaused = fields.isYes();
    var admissionTime = Duration.ofMillis(fields.number());
    var joinsFrom = Instant.ofEpochMilli(fields.number());
    boolean draws = fields.isYes();
    boolean claims = fields.isYes();
    var room =
        new WaitingRoom(
            claims ? WaitingRoom.Mode.CLAIM : WaitingRoom.Mode.ADMIT,
            draws ? WaitingRoom.Order.DRAW : WaitingRoom.Order.ARRIVAL,
            joinsFrom,
            perSecond,
            admissionTime,
            isPaused,
            false);
    int lastTicket = fields.integer();
    int version = fields.integer();
    int tickets = fields.integer();
    int served = fields.integer();
    int places = fields.integer();
    int thousandths = fields.integer();
    var counted = Duration.ofMillis(fields.number());
    int claimed = fields.integer();
    var offer =
        new RoomOffer(fields.integer(), fields.integer(), Duration.ofMillis(fields.number()));
    var drawn = fields.text();
    var marks = RoomTexts.marks(fields.text());
    var gaps = RoomTexts.gaps(fields.text());
    int total = fields.integer();
    int free = fields.integer();
    boolean isAllocated = fields.integer() == 1;
    boolean accepts = fields.integer() == 1;
    var state =
        new RoomState(
            new RoomTerms(revision, room),
            lastTicket,
            new RoomReserve(version, tickets, places),
            new RoomProgress(
                new ServingNumber(served, thousandths, now, counted),
                new ServingHistory(room.admissionTime(), marks),
                gaps,
                offer),
            drawn.isEmpty() ? null : Integer.valueOf(drawn),
            claimed);
    return new RoomReading(epoch, state, new RoomStock(accepts, isAllocated, free, total));
  }

  @Override
  public Optional<RoomReserve> open(StockAddress coupon, RoomState state) {
    var progress = state.progress();
    var args = new ArrayList<String>();
    args.add(coupon.epoch().toString());
    args.addAll(terms(state.terms()));
    args.add(Integer.toString(state.reserve().tickets()));
    args.add(Integer.toString(state.reserve().places()));
    args.add(Integer.toString(state.lastTicket()));
    args.add(Integer.toString(progress.number().served()));
    args.add(Long.toString(progress.number().counted().toMillis()));
    args.add(RoomTexts.ofMarks(progress.history().marks()));
    args.add(RoomTexts.ofGaps(progress.gaps()));
    args.add(orEmpty(state.drawn()));
    args.add(Integer.toString(state.reserve().version()));
    var reply =
        others.call(
            LuaScript.OPEN_ROOM,
            new String[] {
              RedisKeys.fence(coupon.partition()), RedisKeys.stock(coupon), RedisKeys.room(coupon)
            },
            args.toArray(String[]::new));
    return reserve(reply);
  }

  private static Optional<RoomReserve> reserve(List<Object> reply) {
    if (reply.size() == 1) {
      return Optional.empty();
    }
    var fields = new Fields(reply.subList(1, reply.size()));
    return Optional.of(new RoomReserve(fields.integer(), fields.integer(), fields.integer()));
  }

  @Override
  public void extend(StockAddress coupon, RoomReserve reserve, @Nullable Integer drawn) {
    others.call(
        LuaScript.EXTEND_ROOM,
        new String[] {RedisKeys.fence(coupon.partition()), RedisKeys.room(coupon)},
        coupon.epoch().toString(),
        Integer.toString(reserve.version()),
        Integer.toString(reserve.tickets()),
        Integer.toString(reserve.places()),
        orEmpty(drawn));
  }

  @Override
  public Optional<RoomReserve> lower(StockAddress coupon, int version) {
    var reply =
        others.call(
            LuaScript.LOWER_ROOM,
            new String[] {RedisKeys.fence(coupon.partition()), RedisKeys.room(coupon)},
            coupon.epoch().toString(),
            Integer.toString(version));
    return reserve(reply);
  }

  @Override
  public int maxTurnsPerCall() {
    return limits.claimsPerCall();
  }

  @Override
  public Map<Integer, UserId> users(StockAddress coupon, List<Integer> tickets) {
    return turnCalls.users(coupon, tickets);
  }

  @Override
  public TurnsOutcome claim(
      StockAddress coupon, @Nullable Campaign campaign, Turns turns, Duration within) {
    return turnCalls.claim(coupon, campaign, turns, within);
  }

  @Override
  public void restore(StockAddress coupon, Map<UserId, Integer> tickets) {
    turnCalls.restore(coupon, tickets);
  }

  @Override
  public void forget(StockAddress coupon, UserId user) {
    others.call(
        LuaScript.FORGET_TICKET,
        new String[] {
          RedisKeys.fence(coupon.partition()),
          RedisKeys.stock(coupon),
          RedisKeys.tickets(coupon),
          RedisKeys.queue(coupon)
        },
        coupon.epoch().toString(),
        user.value());
  }

  private static String orEmpty(@Nullable Integer number) {
    return number == null ? "" : number.toString();
  }

  private static String yesOrNo(boolean condition) {
    return condition ? YES : NO;
  }
}
