package io.firstcome.application.rehearsal;

import io.firstcome.domain.rehearsal.Forecast;
import io.firstcome.domain.rehearsal.Forecast.Deployment;
import io.firstcome.domain.rehearsal.MeasuredCosts;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Calculates step by step how a crowd is answered if claims cost what they have cost. */
final class ForecastDrop {

  private static final int MOST_PROCESSORS = 4_096;
  private static final Duration LONG_WAIT = Duration.ofSeconds(1);

  private ForecastDrop() {}

  /** What is expected of the drop. */
  static Forecast forecast(RehearsalPlan plan, MeasuredCosts costs, Deployment deployment) {
    var expected = new SimulatedDrop(plan, costs, deployment, deployment.allProcessors()).run();
    var bytes = costs.bytes();
    return new Forecast(
        expected.soldOutAfter(),
        expected.answeredAfter(),
        expected.mostAnswers(),
        expected.busyAnswers(),
        expected.longestWait(),
        expected.recordedAfter(),
        processorsNeeded(plan, costs, deployment),
        bytes == null ? null : Math.round(bytes * Math.min(plan.users(), plan.quantity())));
  }

  private static @Nullable Integer processorsNeeded(
      RehearsalPlan plan, MeasuredCosts costs, Deployment deployment) {
    var withoutLimit =
        new Deployment(
            deployment.instances(),
            deployment.processors(),
            Integer.MAX_VALUE,
            deployment.sendsClaims());
    int low = 1;
    int high = MOST_PROCESSORS + 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      var expected = new SimulatedDrop(plan, costs, withoutLimit, middle).run();
      if (expected.longestWait().compareTo(LONG_WAIT) <= 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low > MOST_PROCESSORS ? null : (Integer) low;
  }
}
