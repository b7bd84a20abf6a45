package io.firstcome.adapter.persistence.rehearsal;

import static io.firstcome.adapter.persistence.generated.Tables.REHEARSAL;

import io.firstcome.adapter.persistence.generated.tables.records.RehearsalRecord;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.rehearsal.ArrivalCurve;
import io.firstcome.domain.rehearsal.CrowdPhase;
import io.firstcome.domain.rehearsal.CrowdResult;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.RehearsalId;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import io.firstcome.domain.rehearsal.RehearsalResult;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Maps rehearsals to rows and back. */
final class RehearsalRows {

  private RehearsalRows() {}

  static Map<Field<?>, @Nullable Object> result(RehearsalResult result) {
    var crowd = result.crowd();
    var row = new HashMap<Field<?>, @Nullable Object>();
    row.put(REHEARSAL.ACCEPTED, crowd.accepted());
    row.put(REHEARSAL.SOLD_OUT, crowd.soldOut());
    row.put(REHEARSAL.REFUSED, crowd.refused());
    row.put(REHEARSAL.FAILED, crowd.failed());
    row.put(
        REHEARSAL.LATENCY_MICROS,
        new Long[] {
          micros(crowd.median()), micros(crowd.p95()), micros(crowd.p99()), micros(crowd.slowest())
        });
    row.put(REHEARSAL.SOLD_OUT_MILLIS, millis(crowd.soldOutAfter()));
    row.put(REHEARSAL.ANSWERED_MILLIS, crowd.answeredAfter().toMillis());
    row.put(REHEARSAL.MOST_ANSWERS, crowd.mostAnswers());
    row.put(REHEARSAL.PROCESSORS, crowd.processors());
    row.put(REHEARSAL.UNTIL_SOLD_OUT, figures(crowd.untilSoldOut()));
    row.put(REHEARSAL.AFTER_SOLD_OUT, figures(crowd.afterSoldOut()));
    row.put(REHEARSAL.RECORDED_MILLIS, millis(result.recordedAfter()));
    row.put(REHEARSAL.FAULTS, result.faults().toArray(String[]::new));
    row.put(REHEARSAL.STOCK_BYTES, result.stockBytes());
    return row;
  }

  static Rehearsal fromRow(RehearsalRecord row) {
    return new Rehearsal(
        new RehearsalId(row.getRehearsalId()),
        new RehearsalPlan(
            new CouponId(row.getCouponId()),
            row.getUsers(),
            row.getQuantity(),
            new ArrivalCurve(
                ArrivalCurve.Shape.valueOf(row.getShape()),
                Duration.ofMillis(row.getDurationMillis()),
                row.getBursts())),
        new CouponId(row.getCloneId()),
        new Actor(Actor.Kind.valueOf(row.getActorKind()), row.getActorName()),
        row.getInstance(),
        row.getStartedAt(),
        Rehearsal.State.valueOf(row.getState()),
        row.getAnswered(),
        row.getAccepted() == null ? null : result(row));
  }

  private static RehearsalResult result(RehearsalRecord row) {
    var latency = row.getLatencyMicros();
    var crowd =
        new CrowdResult(
            row.getAccepted(),
            row.getSoldOut(),
            row.getRefused(),
            row.getFailed(),
            ofMicros(latency[0]),
            ofMicros(latency[1]),
            ofMicros(latency[2]),
            ofMicros(latency[3]),
            ofMillis(row.getSoldOutMillis()),
            Duration.ofMillis(row.getAnsweredMillis()),
            row.getMostAnswers(),
            row.getProcessors(),
            phase(row.getUntilSoldOut()),
            phase(row.getAfterSoldOut()));
    return new RehearsalResult(
        crowd, ofMillis(row.getRecordedMillis()), List.of(row.getFaults()), row.getStockBytes());
  }

  private static Long[] figures(CrowdPhase phase) {
    return new Long[] {
      (long) phase.answers(),
      micros(phase.elapsed()),
      micros(phase.processor()),
      micros(phase.crowd()),
      micros(phase.stock())
    };
  }

  private static CrowdPhase phase(Long[] figures) {
    return new CrowdPhase(
        figures[0].intValue(),
        ofMicros(figures[1]),
        ofMicros(figures[2]),
        ofMicros(figures[3]),
        ofMicros(figures[4]));
  }

  private static long micros(Duration time) {
    return TimeUnit.NANOSECONDS.toMicros(time.toNanos());
  }

  private static Duration ofMicros(long micros) {
    return Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(micros));
  }

  private static @Nullable Long millis(@Nullable Duration time) {
    return time == null ? null : (Long) time.toMillis();
  }

  private static @Nullable Duration ofMillis(@Nullable Long millis) {
    return millis == null ? null : Duration.ofMillis(millis);
  }
}
