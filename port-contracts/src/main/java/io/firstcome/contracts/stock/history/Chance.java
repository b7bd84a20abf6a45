package io.firstcome.contracts.stock.history;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.HostileUserIds;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Random values from a seed, of so few users, slots and revisions that they collide. Windows are
 * open, past or future by any clock.
 */
final class Chance {

  private static final int USERS = 14;
  private static final int MAX_TOTAL = 8;
  private static final int MAX_REVISION = 6;
  private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");
  private static final Instant FAR_FUTURE = Instant.parse("2100-01-01T00:00:00.250Z");

  private final SplittableRandom random;

  Chance(long seed) {
    random = new SplittableRandom(seed);
  }

  boolean of(double probability) {
    return random.nextDouble() < probability;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  int between(int first, int last) {
    return first + below(last - first + 1);
  }

  <T> T oneOf(List<T> several) {
    return several.get(below(several.size()));
  }

  private <T> Stream<T> upTo(int most, Supplier<T> one) {
    int count = between(1, most);
    return IntStream.range(0, count).mapToObj(i -> one.get());
  }

  /** The epoch of the fence, or sometimes the one before or after it. */
  Epoch nearly(PartitionView view) {
    long epoch = view.fence().epoch().number();
    return of(0.9) ? view.fence().epoch() : new Epoch(Math.max(0, epoch + 2L * below(2) - 1));
  }

  static Stream<UserId> everyUser() {
    return IntStream.range(0, USERS).mapToObj(HostileUserIds::of);
  }

  UserId user() {
    return HostileUserIds.of(below(USERS));
  }

  /** A user as a ledger can have it: sometimes the pseudonym. */
  private UserId userOfLedger() {
    return of(0.3) ? CouponFixtures.pseudonymOf(user()) : user();
  }

  List<UserId> users(int most) {
    return upTo(most, this::user).toList();
  }

  Slot slot() {
    return new Slot(between(1, MAX_TOTAL + 1));
  }

  List<Slot> slots() {
    return upTo(3, this::slot).toList();
  }

  List<SlotClaim> slotClaims() {
    return upTo(3, () -> new SlotClaim(user(), slot())).toList();
  }

  /** Late claims: about half of the promised slots are free ones, if there are any. */
  List<LateClaim> lateClaims(StockAddress coupon, List<Slot> free) {
    return upTo(3, () -> lateClaim(coupon, free.isEmpty() || of(0.5) ? slot() : oneOf(free)))
        .toList();
  }

  private LateClaim lateClaim(StockAddress coupon, Slot promised) {
    return new LateClaim(
        coupon.couponId(), user(), promised, coupon.partition(), CouponFixtures.ACCEPTED_AT);
  }

  Map<UserId, LedgerMark> marks() {
    Map<UserId, LedgerMark> marks = new LinkedHashMap<>();
    upTo(4, this::userOfLedger).forEach(user -> marks.put(user, mark()));
    return marks;
  }

  /** Last freed generations of a few slots. */
  Map<Slot, Integer> generations(int highest) {
    Map<Slot, Integer> generations = new LinkedHashMap<>();
    slots().forEach(slot -> generations.put(slot, between(1, highest)));
    return generations;
  }

  private LedgerMark mark() {
    return switch (below(6)) {
      case 0, 1 -> new LedgerMark.WasRejected();
      case 2 -> new LedgerMark.GaveBack(slot());
      default -> new LedgerMark.Holds(slot());
    };
  }

  StockTerms terms() {
    var status =
        of(0.85) ? CouponStatus.ACTIVE : of(0.5) ? CouponStatus.PAUSED : CouponStatus.CLOSED;
    return new StockTerms(between(1, MAX_REVISION), status, between(1, MAX_TOTAL), window());
  }

  private IssuanceWindow window() {
    return switch (below(20)) {
      case 0 -> new IssuanceWindow(LONG_AGO, LONG_AGO.plusMillis(between(1, 1_000)));
      case 1 ->
          new IssuanceWindow(FAR_FUTURE.plusMillis(between(1, 1_000)), FAR_FUTURE.plusSeconds(9));
      default -> new IssuanceWindow(LONG_AGO, FAR_FUTURE);
    };
  }
}
