package io.firstcome.bootstrap.rest.rehearsal;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import io.firstcome.domain.rehearsal.RehearsalResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A rehearsal, as JSON.
 *
 * @param cloneId the coupon that was issued in place of the planned one
 * @param answered claims until now
 * @param result absent until its end, and if it ended early
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RehearsalJson(
    long rehearsalId,
    String couponId,
    String cloneId,
    int users,
    int quantity,
    String shape,
    long seconds,
    int bursts,
    String startedAt,
    String startedBy,
    String instance,
    String state,
    int answered,
    @Nullable ResultJson result) {

  /**
   * The result, as JSON. Times are from the first claim on, latencies from sending a claim.
   *
   * @param soldOutMillis absent if slots are left
   * @param recordedMillis absent if some claims were not rows in time
   * @param obstacles why it is not a go, in sentences
   * @param processorPercent how busy the machine of the instance was until the stock was sold out
   * @param stockBytes absent if not known
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ResultJson(
      boolean go,
      boolean exact,
      List<String> obstacles,
      int accepted,
      int soldOut,
      int refused,
      int failed,
      double p50Millis,
      double p95Millis,
      double p99Millis,
      double slowestMillis,
      @Nullable Long soldOutMillis,
      long answeredMillis,
      @Nullable Long recordedMillis,
      int mostAnswersPerSecond,
      String bottleneck,
      long processorPercent,
      int processors,
      @Nullable Long stockBytes) {

    private static final int PERCENT = 100;

    static ResultJson of(RehearsalResult result) {
      var crowd = result.crowd();
      var obstacles = result.obstacles();
      return new ResultJson(
          obstacles.isEmpty(),
          result.exact(),
          obstacles,
          crowd.accepted(),
          crowd.soldOut(),
          crowd.refused(),
          crowd.failed(),
          fractionalMillis(crowd.median()),
          fractionalMillis(crowd.p95()),
          fractionalMillis(crowd.p99()),
          fractionalMillis(crowd.slowest()),
          millis(crowd.soldOutAfter()),
          crowd.answeredAfter().toMillis(),
          millis(result.recordedAfter()),
          crowd.mostAnswers(),
          result.bottleneck().name(),
          Math.round(PERCENT * result.processorShare()),
          crowd.processors(),
          result.stockBytes());
    }

    private static double fractionalMillis(Duration time) {
      return TimeUnit.NANOSECONDS.toMicros(time.toNanos()) / 1_000.0;
    }

    private static @Nullable Long millis(@Nullable Duration time) {
      return time == null ? null : (Long) time.toMillis();
    }
  }

  /** The rehearsal as it was read. */
  public static RehearsalJson of(Rehearsal rehearsal) {
    RehearsalPlan plan = rehearsal.plan();
    var result = rehearsal.result();
    return new RehearsalJson(
        rehearsal.id().value(),
        plan.couponId().value(),
        rehearsal.cloneId().value(),
        plan.users(),
        plan.quantity(),
        plan.arrival().shape().name(),
        plan.arrival().duration().toSeconds(),
        plan.arrival().bursts(),
        rehearsal.startedAt().toString(),
        rehearsal.actor().name(),
        rehearsal.instance(),
        rehearsal.endedEarly() && rehearsal.state() == Rehearsal.State.REMOVED
            ? "STOPPED"
            : rehearsal.state().name(),
        rehearsal.answered(),
        result == null ? null : ResultJson.of(result));
  }
}
