package io.firstcome.adapter.redis;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.FreezeOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.LedgerPage;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.StockLeasedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The stock of all coupons in Redis. */
final class RedisCouponStock implements CouponStock {

  private static final String FIRST_CURSOR = "0";

  private final ClaimCalls claimCalls;
  private final RedisConnection others;
  private final StockLife life;
  private final ReplicaAcks copies;
  private final RedisLimits limits;

  /**
   * @param claims carries only claim calls, so that no slow call delays them
   */
  RedisCouponStock(
      RedisConnection claims,
      RedisConnection others,
      ReplicaAcks copies,
      ServerClock clock,
      RedisLimits limits) {
    this.claimCalls = new ClaimCalls(claims, copies, clock, limits);
    this.others = others;
    this.life = new StockLife(others, clock);
    this.copies = copies;
    this.limits = limits;
  }

  @Override
  public int maxCallsInFlight() {
    return limits.callsInFlight();
  }

  @Override
  public int maxClaimsPerCall() {
    return limits.claimsPerCall();
  }

  @Override
  public CompletionStage<List<ClaimOutcome>> claim(
      StockAddress coupon,
      @Nullable Campaign campaign,
      List<Claim> claimsInOrder,
      Duration within) {
    return claimCalls.claim(coupon, campaign, claimsInOrder, within);
  }

  @Override
  public void create(StockAddress coupon, @Nullable Campaign campaign, StockTerms terms) {
    life.create(coupon, campaign, terms);
  }

  @Override
  public FreezeOutcome freeze(StockAddress coupon, int revision, Duration within) {
    return life.freeze(coupon, revision, within);
  }

  @Override
  public StockTerms apply(StockAddress coupon, StockTerms terms) {
    return life.apply(coupon, terms);
  }

  @Override
  public StockTerms terms(StockAddress coupon) {
    return life.terms(coupon);
  }

  @Override
  public void remove(StockAddress coupon) {
    life.remove(coupon);
  }

  @Override
  public Map<UserId, LedgerMark> find(StockAddress coupon, List<UserId> users) {
    Map<UserId, LedgerMark> found = new HashMap<>();
    if (users.isEmpty()) {
      return found;
    }
    var args = new ArrayList<String>(users.size() + 1);
    args.add(coupon.epoch().toString());
    users.forEach(user -> args.add(user.value()));
    var reply =
        others.call(
            LuaScript.FIND,
            new String[] {
              RedisKeys.fence(coupon.partition()), RedisKeys.stock(coupon), RedisKeys.ledger(coupon)
            },
            args.toArray(String[]::new));
    for (int i = 0; i < users.size(); i++) {
      if (reply.get(i + 1) instanceof String mark) {
        found.put(users.get(i), LedgerMarks.parse(mark));
      }
    }
    if (!found.isEmpty()) {
      copies.awaitMade(coupon);
    }
    return found;
  }

  @Override
  public LedgerPage ledger(StockAddress coupon, @Nullable String cursor) {
    var reply =
        others.call(
            LuaScript.LEDGER,
            new String[] {RedisKeys.fence(coupon.partition()), RedisKeys.ledger(coupon)},
            coupon.epoch().toString(),
            cursor == null ? FIRST_CURSOR : cursor,
            Integer.toString(limits.ledgerPage()));
    var next = (String) reply.get(1);
    var pairs = (List<?>) reply.get(2);
    Map<UserId, LedgerMark> marks = new HashMap<>();
    for (int i = 0; i < pairs.size(); i += 2) {
      marks.put(new UserId((String) pairs.get(i)), LedgerMarks.parse((String) pairs.get(i + 1)));
    }
    return new LedgerPage(marks, next.equals(FIRST_CURSOR) ? null : next);
  }

  @Override
  public StockLevel level(StockAddress coupon) {
    var reply =
        others.call(
            LuaScript.LEVEL,
            new String[] {
              RedisKeys.fence(coupon.partition()),
              RedisKeys.stock(coupon),
              RedisKeys.returned(coupon)
            },
            coupon.epoch().toString());
    return new StockLevel(number(reply.get(1)), number(reply.get(2)), number(reply.get(3)));
  }

  private static int number(Object reply) {
    return ((Long) reply).intValue();
  }

  @Override
  public List<Slot> returned(StockAddress coupon, @Nullable Slot after, int max) {
    var reply =
        others.call(
            LuaScript.RETURNED,
            new String[] {
              RedisKeys.fence(coupon.partition()),
              RedisKeys.stock(coupon),
              RedisKeys.returned(coupon)
            },
            coupon.epoch().toString(),
            after == null ? "0" : after.toString(),
            Integer.toString(max));
    return reply.stream().skip(1).map(slot -> new Slot(Integer.parseInt((String) slot))).toList();
  }

  @Override
  public List<AdoptOutcome> adopt(StockAddress coupon, List<LateClaim> lateClaims) {
    var args = new ArrayList<String>(2 * lateClaims.size() + 1);
    args.add(coupon.epoch().toString());
    for (var claim : lateClaims) {
      args.add(claim.userId().value());
      args.add(claim.promised().toString());
    }
    var reply =
        others.call(
            LuaScript.ADOPT,
            new String[] {
              RedisKeys.fence(coupon.partition()),
              RedisKeys.stock(coupon),
              RedisKeys.ledger(coupon),
              RedisKeys.returned(coupon),
              RedisKeys.unfiltered(coupon)
            },
            args.toArray(String[]::new));
    if (reply.getFirst().equals("LEASED")) {
      throw new StockLeasedException();
    }
    return reply.stream().skip(1).map(answer -> adoptOutcome((Long) answer)).toList();
  }

  private static AdoptOutcome adoptOutcome(long answer) {
    return switch (ScriptReplies.code(answer)) {
      case 0 -> new AdoptOutcome.Adopted(ScriptReplies.slot(answer));
      case 2 -> new AdoptOutcome.GoneBack();
      case 3 -> new AdoptOutcome.Rejected();
      default -> throw new IllegalStateException("unknown reply of adopt.lua: " + answer);
    };
  }

  @Override
  public void erase(StockAddress coupon, UserId user, UserId pseudonym) {
    others.call(
        LuaScript.ERASE,
        new String[] {
          RedisKeys.fence(coupon.partition()),
          RedisKeys.stock(coupon),
          RedisKeys.ledger(coupon),
          RedisKeys.unfiltered(coupon),
          RedisKeys.tickets(coupon),
          RedisKeys.queue(coupon)
        },
        coupon.epoch().toString(),
        user.value(),
        pseudonym.value());
    copies.awaitMade(coupon);
  }

  @Override
  public void expectPseudonyms(StockAddress coupon) {
    others.call(
        LuaScript.EXPECT_PSEUDONYMS,
        new String[] {RedisKeys.fence(coupon.partition()), RedisKeys.stock(coupon)},
        coupon.epoch().toString());
    copies.awaitMade(coupon);
  }

  @Override
  public ReleaseOutcome release(StockAddress coupon, UserId user, Slot slot, int generation) {
    var reply =
        others.call(
            LuaScript.RELEASE,
            new String[] {
              RedisKeys.fence(coupon.partition()),
              RedisKeys.stock(coupon),
              RedisKeys.ledger(coupon),
              RedisKeys.returned(coupon),
              RedisKeys.generations(coupon)
            },
            coupon.epoch().toString(),
            user.value(),
            slot.toString(),
            Integer.toString(generation));
    return switch (number(reply.get(1))) {
      case 0 -> new ReleaseOutcome.NotHeld();
      case 1 -> new ReleaseOutcome.Released();
      case 2 -> new ReleaseOutcome.Withheld();
      default -> throw new IllegalStateException("unknown reply of release.lua: " + reply);
    };
  }
}
