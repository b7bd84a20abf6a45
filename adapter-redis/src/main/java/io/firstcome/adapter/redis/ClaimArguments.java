package io.firstcome.adapter.redis;

import static java.util.Objects.requireNonNull;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.StockAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys and arguments of {@code claim.lua}. */
final class ClaimArguments {

  /** The number of arguments before the users. */
  private static final int FIRST_USER = 7;

  private final ServerClock clock;
  private final RedisLimits limits;

  ClaimArguments(ServerClock clock, RedisLimits limits) {
    this.clock = clock;
    this.limits = limits;
  }

  static String[] keys(StockAddress coupon, @Nullable Campaign campaign) {
    var others = campaign == null ? List.<CouponId>of() : campaign.others(coupon.couponId());
    var keys = new String[6 + others.size()];
    keys[0] = RedisKeys.fence(coupon.partition());
    keys[1] = RedisKeys.stock(coupon);
    keys[2] = RedisKeys.ledger(coupon);
    keys[3] = RedisKeys.returned(coupon);
    keys[4] = RedisKeys.handoff(coupon.partition());
    keys[5] = RedisKeys.unfiltered(coupon);
    for (int i = 0; i < others.size(); i++) {
      keys[6 + i] =
          RedisKeys.ledger(new StockAddress(others.get(i), coupon.partition(), coupon.epoch()));
    }
    return keys;
  }

  /**
   * The arguments.
   *
   * @param claims in order of arrival; all with pseudonyms, or none
   * @throws io.firstcome.domain.port.StockUnavailableException if the server's clock is not known
   */
  String[] of(
      StockAddress coupon, @Nullable Campaign campaign, List<Claim> claims, Duration within) {
    var span = clock.from(within);
    int users = claims.size();
    boolean havePseudonyms = users > 0 && claims.getFirst().pseudonym() != null;
    var args = new String[FIRST_USER + (havePseudonyms ? 2 : 1) * users];
    args[0] = coupon.epoch().toString();
    args[1] = Long.toString(span.notBefore());
    args[2] = Long.toString(span.notAfter());
    args[3] = Integer.toString(limits.logCap());
    args[4] = coupon.couponId().value();
    args[5] = campaign == null ? "" : Integer.toString(campaign.limitPerUser());
    args[6] = Integer.toString(users);
    for (int i = 0; i < users; i++) {
      var claim = claims.get(i);
      args[FIRST_USER + i] = claim.userId().value();
      if (havePseudonyms) {
        args[FIRST_USER + users + i] = requireNonNull(claim.pseudonym()).value();
      }
    }
    return args;
  }
}
