package io.firstcome.domain.rehearsal;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What claims have cost in a rehearsal.
 *
 * @param accepted processor time of an accepted claim, with its row as far as it was recorded
 *     meanwhile
 * @param soldOut processor time of a claim that is refused because no slot is left
 * @param crowd processor time of sending one claim, which is in neither of them
 * @param stock processor time of an accepted claim in the server of the stock
 * @param rowsPerSecond that were recorded
 * @param bytes of the stock's memory for an accepted claim; null if not known
 */
public record MeasuredCosts(
    Duration accepted,
    Duration soldOut,
    Duration crowd,
    Duration stock,
    double rowsPerSecond,
    @Nullable Double bytes) {

  /** The costs; empty if too little was measured to divide by. */
  public static Optional<MeasuredCosts> of(RehearsalResult result) {
    var crowd = result.crowd();
    var first = crowd.untilSoldOut();
    var rest = crowd.afterSoldOut();
    if (crowd.accepted() == 0 || first.answers() == 0 || result.recordedAfter() == null) {
      return Optional.empty();
    }
    var accepted = perAnswer(first);
    return Optional.of(
        new MeasuredCosts(
            accepted,
            // Refusals cost less than that; without any, they are not assumed to.
            rest.answers() == 0 ? accepted : perAnswer(rest),
            first.crowd().plus(rest.crowd()).dividedBy(first.answers() + rest.answers()),
            first.stock().dividedBy(first.answers()),
            crowd.accepted() / Math.max(0.001, result.recordedAfter().toMillis() / 1_000.0),
            result.stockBytes() == null ? null : (double) result.stockBytes() / crowd.accepted()));
  }

  private static Duration perAnswer(CrowdPhase phase) {
    var own = phase.processor().minus(phase.crowd());
    return own.isNegative() ? Duration.ZERO : own.dividedBy(phase.answers());
  }
}
