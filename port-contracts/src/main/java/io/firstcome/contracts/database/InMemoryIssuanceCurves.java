package io.firstcome.contracts.database;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.curve.AnswerCounts;
import io.firstcome.domain.curve.ClaimTally;
import io.firstcome.domain.curve.ClaimTally.Length;
import io.firstcome.domain.latency.LatencyHistogram;
import io.firstcome.domain.port.IssuanceCurves;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@link IssuanceCurves} in memory, of one instance. */
final class InMemoryIssuanceCurves implements IssuanceCurves {

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryIssuanceCurves(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public void add(List<ClaimTally> tallies) {
    database.transaction(() -> {
      for (var tally : tallies) {
        if (isCounted(tally.couponId())
            && tables.tallies.stream().noneMatch(stored -> isSameInterval(stored, tally))) {
          tables.tallies.add(tally);
        }
      }
      return tallies;
    });
  }

  private boolean isCounted(CouponId couponId) {
    var coupon = tables.coupons.get(couponId);
    var removal = coupon == null ? null : coupon.stored().removal();
    return coupon != null && (removal == null || removal.endedAt() == null);
  }

  private static boolean isSameInterval(ClaimTally one, ClaimTally other) {
    return one.couponId().equals(other.couponId())
        && one.from().equals(other.from())
        && one.length() == other.length();
  }

  @Override
  public Map<Instant, AnswerCounts> answers(
      CouponId couponId, Instant from, Instant to, Duration interval) {
    return database.transaction(() ->
        tables.tallies.stream()
            .filter(tally -> tally.couponId().equals(couponId) && isWithin(tally.from(), from, to))
            .collect(
                toMap(
                    tally -> begin(tally.from(), interval),
                    ClaimTally::answers,
                    AnswerCounts::plus)));
  }

  @Override
  public LatencyHistogram latencies(CouponId couponId, Instant from, Instant to) {
    return database.transaction(() ->
        tables.tallies.stream()
            .filter(tally -> tally.couponId().equals(couponId) && isWithin(tally.from(), from, to))
            .map(ClaimTally::latencies)
            .reduce(LatencyHistogram.NONE, LatencyHistogram::plus));
  }

  @Override
  public Map<Instant, Long> issued(CouponId couponId, Instant from, Instant to, Duration interval) {
    return database.transaction(() ->
        tables.rows(couponId).byUser.values().stream()
            .map(UserCoupon::issuedAt)
            .filter(at -> isWithin(at, from, to))
            .collect(groupingBy(at -> begin(at, interval), counting())));
  }

  @Override
  public Optional<Instant> allIssuedAt(CouponId couponId, int slots) {
    return database.transaction(() -> {
      var first =
          tables.rows(couponId).byUser.values().stream()
              .filter(userCoupon -> userCoupon.ownership().generation() == 1)
              .map(UserCoupon::issuedAt)
              .toList();
      return first.size() < slots
          ? Optional.<Instant>empty()
          : first.stream().max(Comparator.naturalOrder());
    });
  }

  private static boolean isWithin(Instant at, Instant from, Instant to) {
    return !at.isBefore(from) && at.isBefore(to);
  }

  private static Instant begin(Instant at, Duration interval) {
    long second = at.getEpochSecond();
    return Instant.ofEpochSecond(second - Math.floorMod(second, interval.toSeconds()));
  }

  @Override
  public int merge(Instant before, int max) {
    return database.transaction(() -> {
      var old =
          tables.tallies.stream()
              .filter(tally -> tally.length() == Length.SECOND && tally.from().isBefore(before))
              .sorted(Comparator.comparing(ClaimTally::from))
              .limit(max)
              .toList();
      tables.tallies.removeAll(old);
      for (var tally : old) {
        var minute = Length.MINUTE.begin(tally.from());
        tables.tallies.add(
            new ClaimTally(
                tally.couponId(), minute, Length.MINUTE, tally.answers(), tally.latencies()));
      }
      return old.size();
    });
  }
}
