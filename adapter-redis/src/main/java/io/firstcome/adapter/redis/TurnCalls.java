package io.firstcome.adapter.redis;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.waitingroom.Turns;
import io.firstcome.domain.waitingroom.TurnsOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls the scripts of waiting rooms that claim for their users. */
final class TurnCalls {

  private final RedisConnection connection;
  private final ClaimArguments claimArguments;

  TurnCalls(RedisConnection connection, ServerClock clock, RedisLimits limits) {
    this.connection = connection;
    this.claimArguments = new ClaimArguments(clock, limits);
  }

  Map<Integer, UserId> users(StockAddress coupon, List<Integer> tickets) {
    var args = new ArrayList<String>();
    args.add(coupon.epoch().toString());
    tickets.forEach(ticket -> args.add(ticket.toString()));
    var reply =
        connection.call(
            LuaScript.USERS,
            new String[] {
              RedisKeys.fence(coupon.partition()), RedisKeys.stock(coupon), RedisKeys.queue(coupon)
            },
            args.toArray(String[]::new));
    Map<Integer, UserId> users = new HashMap<>();
    for (int i = 0; i < tickets.size(); i++) {
      var user = (String) reply.get(i + 1);
      if (!user.isEmpty()) {
        users.put(tickets.get(i), new UserId(user));
      }
    }
    return users;
  }

  TurnsOutcome claim(
      StockAddress coupon, @Nullable Campaign campaign, Turns turns, Duration within) {
    var keys = new ArrayList<String>();
    keys.add(RedisKeys.room(coupon));
    keys.add(RedisKeys.tickets(coupon));
    keys.addAll(List.of(ClaimArguments.keys(coupon, campaign)));
    var args = new ArrayList<String>();
    args.add(Integer.toString(turns.after()));
    args.add(Integer.toString(turns.to()));
    args.add(Integer.toString(turns.users().size()));
    turns
        .users()
        .forEach(turn -> {
          args.add(Integer.toString(turn.place()));
          args.add(Integer.toString(turn.ticket()));
        });
    var claims = turns.users().stream().map(Turns.Turn::claim).toList();
    args.addAll(List.of(claimArguments.of(coupon, campaign, claims, within)));
    var reply =
        connection.call(
            LuaScript.CLAIM_TURNS, keys.toArray(String[]::new), args.toArray(String[]::new));
    return switch ((String) reply.getFirst()) {
      case "PSEUDONYMS" -> new TurnsOutcome.PseudonymsNeeded();
      case "OTHER" -> new TurnsOutcome.OtherTurns();
      case "LATE" -> throw RedisErrors.late();
      default -> new TurnsOutcome.Claimed(Math.toIntExact((Long) reply.get(1)));
    };
  }

  void restore(StockAddress coupon, Map<UserId, Integer> tickets) {
    var args = new ArrayList<String>();
    args.add(coupon.epoch().toString());
    tickets.forEach((user, ticket) -> {
      args.add(user.value());
      args.add(ticket.toString());
    });
    connection.call(
        LuaScript.RESTORE_TICKETS,
        new String[] {
          RedisKeys.fence(coupon.partition()),
          RedisKeys.room(coupon),
          RedisKeys.tickets(coupon),
          RedisKeys.queue(coupon)
        },
        args.toArray(String[]::new));
  }
}
