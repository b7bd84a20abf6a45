package io.firstcome.application.curve;

import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.curve.AnswerCounts;
import io.firstcome.domain.curve.AnswerKind;
import io.firstcome.domain.curve.ClaimTally;
import io.firstcome.domain.curve.ClaimTally.Length;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.latency.LatencyHistogram;
import io.firstcome.domain.port.IssuanceCurves;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the answers to claims of each coupon, and their latencies, by second, and stores the
 * counts. Counting takes no lock and no call. What is not stored yet is lost with the instance.
 */
public final class CountClaims {

  /**
   * In a second with claims of more coupons than this, those of further coupons are counted by
   * minute, so that an instance does not store more rows in a second.
   */
  private static final int MOST_BY_SECOND = 500;

  /** Further coupons of a minute are not counted. */
  private static final int MOST_OPEN = 20_000;

  /** While the database is not reachable the oldest tallies are dropped: about two minutes. */
  private static final int MOST_WAITING = 60_000;

  private static final int BATCH = 500;

  /** Since its end, after which nothing is added to an interval. */
  private static final Duration SETTLED = Duration.ofSeconds(1);

  /** Seconds are of interest for the report of a sale. */
  static final Duration KEPT_BY_SECOND = Duration.ofDays(7);

  private static final int MERGE_BATCH = 5_000;

  private final IssuanceCurves curves;
  private final InstantSource clock;
  private final Map<Interval, Counters> open = new ConcurrentHashMap<>();

  /** Oldest first; used by one thread. */
  private final Deque<ClaimTally> waiting = new ArrayDeque<>();

  public CountClaims(IssuanceCurves curves, InstantSource clock) {
    this.curves = curves;
    this.clock = clock;
  }

  private record Interval(CouponId couponId, Instant from, Length length) {

    boolean isOverAt(Instant time) {
      return !from.plusSeconds(length.seconds()).isAfter(time);
    }
  }

  /** The counters of an interval. */
  private static final class Counters {

    private final Map<AnswerKind, LongAdder> ofKinds = new EnumMap<>(AnswerKind.class);
    private final AtomicLongArray ofBuckets = new AtomicLongArray(LatencyHistogram.BOUNDS.size());

    Counters() {
      Arrays.stream(AnswerKind.values()).forEach(kind -> ofKinds.put(kind, new LongAdder()));
    }

    void add(AnswerKind kind, Duration latency) {
      of(kind).increment();
      ofBuckets.incrementAndGet(LatencyHistogram.bucketOf(latency));
    }

    private LongAdder of(AnswerKind kind) {
      return Objects.requireNonNull(ofKinds.get(kind));
    }

    ClaimTally tally(Interval interval) {
      return new ClaimTally(
          interval.couponId(),
          interval.from(),
          interval.length(),
          AnswerCounts.of(kind -> of(kind).sum()),
          new LatencyHistogram(
              IntStream.range(0, ofBuckets.length()).mapToObj(ofBuckets::get).toList()));
    }
  }

  /**
   * Counts the answer; that there is no such coupon is not counted.
   *
   * @param latency from when the claim was begun until the answer was known
   */
  public void count(CouponId couponId, ClaimAnswer answer, Duration latency) {
    kind(answer)
        .ifPresent(kind -> {
          var counters = counters(couponId, clock.instant());
          if (counters != null) {
            counters.add(kind, latency);
          }
        });
  }

  private @Nullable Counters counters(CouponId couponId, Instant now) {
    var bySecond = open.get(interval(couponId, Length.SECOND, now));
    if (bySecond != null) {
      return bySecond;
    }
    int size = open.size();
    var length = size < MOST_BY_SECOND ? Length.SECOND : Length.MINUTE;
    var interval = interval(couponId, length, now);
    return size < MOST_OPEN
        ? open.computeIfAbsent(interval, _ -> new Counters())
        : open.get(interval);
  }

  private static Interval interval(CouponId couponId, Length length, Instant now) {
    return new Interval(couponId, length.begin(now), length);
  }

  private static Optional<AnswerKind> kind(ClaimAnswer answer) {
    return switch (answer) {
      case ClaimAnswer.Accepted _, ClaimAnswer.Issued _ -> Optional.of(AnswerKind.ACCEPTED);
      case ClaimAnswer.AlreadyClaimed _ -> Optional.of(AnswerKind.ALREADY_CLAIMED);
      case ClaimAnswer.Refused(ClaimOutcome.SoldOut _) -> Optional.of(AnswerKind.SOLD_OUT);
      case ClaimAnswer.Refused _, ClaimAnswer.NotAdmitted _ -> Optional.of(AnswerKind.REFUSED);
      case ClaimAnswer.Recovering _ -> Optional.of(AnswerKind.RECOVERING);
      case ClaimAnswer.Overloaded _ -> Optional.of(AnswerKind.OVERLOADED);
      case ClaimAnswer.OutcomeUnknown _ -> Optional.of(AnswerKind.OUTCOME_UNKNOWN);
      case ClaimAnswer.UnknownCoupon _ -> Optional.empty();
    };
  }

  /**
   * Stores the counts of intervals that are over. For one thread.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable;
   *     they are stored by a later call
   */
  public void store() {
    takeOver(clock.instant().minus(SETTLED));
    while (!waiting.isEmpty()) {
      var batch = waiting.stream().limit(BATCH).toList();
      curves.add(batch);
      batch.forEach(_ -> waiting.removeFirst());
    }
  }

  private void takeOver(Instant time) {
    var over = open.keySet().stream().filter(interval -> interval.isOverAt(time)).toList();
    for (var interval : over) {
      var counters = open.remove(interval);
      if (counters != null) {
        waiting.add(counters.tally(interval));
      }
    }
    while (waiting.size() > MOST_WAITING) {
      waiting.removeFirst();
    }
  }

  /**
   * Replaces stored counts by second that are older than a week by counts by minute, in one batch.
   *
   * @return whether there may be more
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public boolean mergeOld() {
    return curves.merge(clock.instant().minus(KEPT_BY_SECOND), MERGE_BATCH) == MERGE_BATCH;
  }
}
