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

  /** For a step that can be repeated, and then answers whether the change is applied. */
  static <T> T unlessApplied(Supplier<T> step) {
    return orUnknown(step, "Retry to see whether it is applied; retrying is safe.");
  }

  /** For an edit of one revision: a repeat would be refused. */
  static <T> T unlessEditApplied(Supplier<T> step) {
    return orUnknown(step, "Read the coupon to see the new revision; do not repeat the edit.");
  }

  private static <T> T orUnknown(Supplier<T> step, String whatToDo) {
    try {
      return step.get();
    } catch (StockUnavailableException e) {
      throw ProblemAdvice.outcomeUnknown(
          "The change is stored, and applied to claims once the stock is reachable. " + whatToDo,
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
