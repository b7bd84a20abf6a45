package io.firstcome.bootstrap.rest.admin;

import io.firstcome.bootstrap.problem.ProblemAdvice;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.util.function.Supplier;

/** Answers operators whose change is made, where a server fails after that. */
final class OutcomeUnknown {

  private static final Duration SOON = Duration.ofSeconds(2);

  private OutcomeUnknown() {}

  static <T> T unlessApplied(Supplier<T> step) {
    try {
      return step.get();
    } catch (StockUnavailableException e) {
      throw ProblemAdvice.outcomeUnknown(
          "The change is stored, and applied to claims once the stock is reachable. Retry to see"
              + " whether it is applied; retrying is safe.",
          SOON);
    }
  }

  /** Reads what the answer shows. Its failure must not say that nothing happened. */
  static <T> T readAfterwards(Supplier<T> step) {
    try {
      return step.get();
    } catch (ServerUnavailableException e) {
      throw ProblemAdvice.outcomeUnknown(
          "The change is made. Read the coupon to see it; a server is not reachable now.", SOON);
    }
  }
}
