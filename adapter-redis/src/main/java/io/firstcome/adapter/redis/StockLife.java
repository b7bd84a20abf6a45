package io.firstcome.adapter.redis;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.issuance.FreezeOutcome;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operators' changes to the stock of a coupon in Redis: create, freeze, change and remove. */
final class StockLife {

  private final RedisConnection link;
  private final ServerClock clock;

  StockLife(RedisConnection link, ServerClock clock) {
    this.link = link;
    this.clock = clock;
  }

  void create(StockAddress coupon, @Nullable Campaign campaign, StockTerms terms) {
    var args = args(coupon, terms);
    args.add(coupon.couponId().value());
    var keys = new ArrayList<String>();
    keys.add(RedisKeys.fence(coupon.partition()));
    keys.add(RedisKeys.stock(coupon));
    keys.add(RedisKeys.removed(coupon.partition()));
    if (campaign != null) {
      campaign
          .others(coupon.couponId())
          .forEach(other ->
              keys.add(
                  RedisKeys.stock(new StockAddress(other, coupon.partition(), coupon.epoch()))));
    }
    call(LuaScript.CREATE, keys, args);
  }

  StockTerms apply(StockAddress coupon, StockTerms terms) {
    return terms(
        call(
            LuaScript.APPLY,
            List.of(
                RedisKeys.fence(coupon.partition()),
                RedisKeys.stock(coupon),
                RedisKeys.returned(coupon)),
            args(coupon, terms)));
  }

  FreezeOutcome freeze(StockAddress coupon, int revision, Duration within) {
    var span = clock.from(within);
    var reply =
        call(
            LuaScript.FREEZE,
            List.of(
                RedisKeys.fence(coupon.partition()),
                RedisKeys.stock(coupon),
                RedisKeys.ledger(coupon),
                RedisKeys.tickets(coupon),
                RedisKeys.room(coupon)),
            List.of(
                coupon.epoch().toString(),
                Long.toString(span.notBefore()),
                Long.toString(span.notAfter()),
                Integer.toString(revision)));
    if (reply.getFirst().equals("LATE")) {
      throw RedisErrors.late();
    }
    return FreezeOutcome.valueOf((String) reply.get(1));
  }

  StockTerms terms(StockAddress coupon) {
    return terms(
        call(
            LuaScript.TERMS,
            List.of(RedisKeys.fence(coupon.partition()), RedisKeys.stock(coupon)),
            List.of(coupon.epoch().toString())));
  }

  private static StockTerms terms(List<Object> reply) {
    return new StockTerms(
        Integer.parseInt((String) reply.get(1)),
        CouponStatus.valueOf((String) reply.get(2)),
        Integer.parseInt((String) reply.get(3)),
        new IssuanceWindow(instant(reply.get(4)), instant(reply.get(5))),
        reply.get(6) != null);
  }

  private static Instant instant(Object millis) {
    return Instant.ofEpochMilli(Long.parseLong((String) millis));
  }

  private static List<String> args(StockAddress coupon, StockTerms terms) {
    var args = new ArrayList<String>();
    args.add(coupon.epoch().toString());
    args.add(Integer.toString(terms.revision()));
    args.add(terms.status().name());
    args.add(Integer.toString(terms.totalQuantity()));
    args.add(Long.toString(terms.window().opensAt().toEpochMilli()));
    args.add(Long.toString(terms.window().closesAt().toEpochMilli()));
    return args;
  }

  void remove(StockAddress coupon) {
    var keys = new ArrayList<String>();
    keys.add(RedisKeys.fence(coupon.partition()));
    keys.add(RedisKeys.removed(coupon.partition()));
    keys.addAll(RedisKeys.all(coupon));
    call(LuaScript.REMOVE, keys, List.of(coupon.epoch().toString(), coupon.couponId().value()));
  }

  private List<Object> call(LuaScript script, List<String> keys, List<String> args) {
    return link.call(script, keys.toArray(String[]::new), args.toArray(String[]::new));
  }
}
