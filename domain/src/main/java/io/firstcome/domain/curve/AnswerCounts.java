package io.firstcome.domain.curve;

import java.util.Arrays;
import java.util.function.ToLongFunction;

/** How many claims had an answer of each {@link AnswerKind}. */
public record AnswerCounts(
    long accepted,
    long alreadyClaimed,
    long soldOut,
    long refused,
    long recovering,
    long overloaded,
    long outcomeUnknown) {

  public static final AnswerCounts NONE = new AnswerCounts(0, 0, 0, 0, 0, 0, 0);

  public AnswerCounts {
    require("accepted", accepted);
    require("alreadyClaimed", alreadyClaimed);
    require("soldOut", soldOut);
    require("refused", refused);
    require("recovering", recovering);
    require("overloaded", overloaded);
    require("outcomeUnknown", outcomeUnknown);
  }

  private static void require(String member, long count) {
    if (count < 0) {
      throw new IllegalArgumentException("%s must not be negative: %d".formatted(member, count));
    }
  }

  /** The counts that a function has of each kind. */
  public static AnswerCounts of(ToLongFunction<AnswerKind> count) {
    return new AnswerCounts(
        count.applyAsLong(AnswerKind.ACCEPTED),
        count.applyAsLong(AnswerKind.ALREADY_CLAIMED),
        count.applyAsLong(AnswerKind.SOLD_OUT),
        count.applyAsLong(AnswerKind.REFUSED),
        count.applyAsLong(AnswerKind.RECOVERING),
        count.applyAsLong(AnswerKind.OVERLOADED),
        count.applyAsLong(AnswerKind.OUTCOME_UNKNOWN));
  }

  public long of(AnswerKind kind) {
    return switch (kind) {
      case ACCEPTED -> accepted;
      case ALREADY_CLAIMED -> alreadyClaimed;
      case SOLD_OUT -> soldOut;
      case REFUSED -> refused;
      case RECOVERING -> recovering;
      case OVERLOADED -> overloaded;
      case OUTCOME_UNKNOWN -> outcomeUnknown;
    };
  }

  public long sum() {
    return Arrays.stream(AnswerKind.values()).mapToLong(this::of).sum();
  }

  public AnswerCounts plus(AnswerCounts others) {
    return of(kind -> of(kind) + others.of(kind));
  }
}
