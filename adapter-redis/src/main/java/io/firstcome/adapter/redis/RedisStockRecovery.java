package io.firstcome.adapter.redis;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.ArchiveClearing;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.FenceState;
import io.firstcome.domain.issuance.FenceState.Kind;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.StockUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Rebuilds the stock of a partition in Redis. */
final class RedisStockRecovery implements StockRecovery {

  /** In place of a mark. */
  private static final String NO_MARK = "-";

  private final RedisConnection claims;
  private final RedisConnection others;
  private final ReplicaAcks copies;
  private final ServerClock clock;

  /**
   * @param claims the connection of claim calls, opened here because claim calls must not wait for
   *     it
   * @param copies confirms replication of claims; connected here for the same reason
   */
  RedisStockRecovery(
      RedisConnection claims, RedisConnection others, ReplicaAcks copies, ServerClock clock) {
    this.claims = claims;
    this.others = others;
    this.copies = copies;
    this.clock = clock;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Callers send claims once they have read an epoch here. So missing scripts are loaded first:
   * the server may have only those of another release whose fence.lua is the same.
   */
  @Override
  public FenceState fence(Partition partition) {
    claims.connect();
    copies.connect();
    var reply = readFence(partition);
    if (reply.size() == 2) {
      return new FenceState(Kind.MISSING, Epoch.NONE, false);
    }
    return new FenceState(
        Kind.valueOf(((String) reply.get(2)).toUpperCase(Locale.ROOT)),
        new Epoch(Long.parseLong((String) reply.get(3))),
        (Long) reply.get(4) == 1);
  }

  /**
   * Claim calls do not block for a reply, so a silent server is detected here, and their
   * connections to it are closed.
   */
  private List<Object> readFence(Partition partition) {
    long begun = System.nanoTime();
    try {
      others.connect();
      others.loadMissingScripts();
      long sent = System.nanoTime();
      var reply = others.call(LuaScript.FENCE, new String[] {RedisKeys.fence(partition)});
      clock.read((Long) reply.get(1), sent);
      return reply;
    } catch (StockUnavailableException e) {
      if (e.getCause() != null && RedisErrors.isSilence(e.getCause())) {
        claims.leaveSilentServer(begun);
        copies.leaveSilentServer(begun);
      }
      throw e;
    }
  }

  @Override
  public void begin(Partition partition, Epoch epoch) {
    others.call(
        LuaScript.BEGIN,
        new String[] {
          RedisKeys.fence(partition),
          RedisKeys.handoff(partition),
          RedisKeys.removed(partition),
          RedisKeys.clearing(partition)
        },
        epoch.toString(),
        RedisHandoffLog.GROUP);
  }

  @Override
  public Map<UserId, LedgerMark> marks(StockAddress coupon, List<UserId> users) {
    var reply =
        call(
            LuaScript.MARKS,
            coupon,
            RedisKeys.ledger(coupon),
            List.of(users.stream().map(UserId::value).collect(Collectors.joining(" "))));
    var found = ((String) reply.get(1)).split(" ", -1);
    Map<UserId, LedgerMark> marks = HashMap.newHashMap(users.size());
    for (int i = 0; i < users.size(); i++) {
      if (!found[i].equals(NO_MARK)) {
        marks.put(users.get(i), LedgerMarks.parse(found[i]));
      }
    }
    return marks;
  }

  @Override
  public long ledgerSize(StockAddress coupon) {
    var reply = call(LuaScript.LEDGER_SIZE, coupon, RedisKeys.ledger(coupon), List.of());
    return (Long) reply.get(1);
  }

  @Override
  public void putMarks(StockAddress coupon, Map<UserId, LedgerMark> marks) {
    var text = new StringBuilder();
    marks.forEach((user, mark) ->
        text.append(user.value()).append(' ').append(LedgerMarks.format(mark)).append(' '));
    call(LuaScript.PUT_MARKS, coupon, RedisKeys.ledger(coupon), List.of(text.toString()));
  }

  @Override
  public void forget(StockAddress coupon, List<UserId> users) {
    call(
        LuaScript.FORGET,
        coupon,
        RedisKeys.ledger(coupon),
        users.stream().map(UserId::value).toList());
  }

  @Override
  public List<SlotClaim> reserve(StockAddress coupon, List<SlotClaim> slotClaims) {
    var args = new ArrayList<String>(2 * slotClaims.size());
    for (var claim : slotClaims) {
      args.add(claim.userId().value());
      args.add(claim.slot().toString());
    }
    var reply = call(LuaScript.RESERVE, coupon, RedisKeys.ledger(coupon), args);
    var reserved = new ArrayList<SlotClaim>();
    for (int i = 0; i < slotClaims.size(); i++) {
      if ((Long) reply.get(i + 1) == 1) {
        reserved.add(slotClaims.get(i));
      }
    }
    return reserved;
  }

  @Override
  public void clearFree(StockAddress coupon) {
    others.call(
        LuaScript.CLEAR_FREE,
        new String[] {
          RedisKeys.fence(coupon.partition()),
          RedisKeys.returned(coupon),
          RedisKeys.generations(coupon)
        },
        coupon.epoch().toString());
  }

  @Override
  public void putFreed(StockAddress coupon, Map<Slot, Integer> generations) {
    var args = new ArrayList<String>(2 * generations.size());
    generations.forEach((slot, generation) -> {
      args.add(slot.toString());
      args.add(generation.toString());
    });
    call(LuaScript.PUT_FREED, coupon, RedisKeys.generations(coupon), args);
  }

  @Override
  public void addFree(StockAddress coupon, List<Slot> slots) {
    call(
        LuaScript.ADD_FREE,
        coupon,
        RedisKeys.returned(coupon),
        slots.stream().map(Slot::toString).toList());
  }

  @Override
  public void ready(StockAddress coupon, StockTerms terms, int next, boolean hasErasedUsers) {
    call(
        LuaScript.READY,
        coupon,
        RedisKeys.stock(coupon),
        List.of(
            Integer.toString(terms.revision()),
            terms.status().name(),
            Integer.toString(terms.totalQuantity()),
            Integer.toString(next),
            Long.toString(terms.window().opensAt().toEpochMilli()),
            Long.toString(terms.window().closesAt().toEpochMilli()),
            hasErasedUsers ? "1" : ""));
  }

  @Override
  public ArchiveClearing clearing(Partition partition, Epoch epoch) {
    var reply =
        others.call(
            LuaScript.CLEARING,
            new String[] {RedisKeys.fence(partition), RedisKeys.clearing(partition)},
            epoch.toString());
    if (reply.size() == 1) {
      return new ArchiveClearing.Done();
    }
    var last = (String) reply.get(1);
    return new ArchiveClearing.After(last.isEmpty() ? null : new CouponId(last));
  }

  @Override
  public void clear(Partition partition, Epoch epoch, List<CouponId> archived) {
    var keys = new ArrayList<String>();
    keys.add(RedisKeys.fence(partition));
    keys.add(RedisKeys.clearing(partition));
    for (var couponId : archived) {
      keys.addAll(RedisKeys.all(new StockAddress(couponId, partition, epoch)));
    }
    others.call(
        LuaScript.CLEAR,
        keys.toArray(String[]::new),
        epoch.toString(),
        archived.isEmpty() ? "" : archived.getLast().value());
  }

  @Override
  public void open(Partition partition, Epoch epoch) {
    others.call(LuaScript.OPEN, new String[] {RedisKeys.fence(partition)}, epoch.toString());
  }

  private List<Object> call(LuaScript script, StockAddress coupon, String key, List<String> args) {
    var all = new ArrayList<String>(args.size() + 1);
    all.add(coupon.epoch().toString());
    all.addAll(args);
    return others.call(
        script,
        new String[] {RedisKeys.fence(coupon.partition()), key},
        all.toArray(String[]::new));
  }
}
