package io.firstcome.domain.issuance;

import java.time.Instant;

/**
 * Something that could not be recorded, kept until it is.
 *
 * @param reason why not, when it was last tried; in words, without a user's id
 * @param attempts how often its recording was tried, the one that made it a dead letter included
 * @param firstFailedAt when it became a dead letter
 * @param lastTriedAt when its recording was last tried, or begun to be
 */
public record DeadLetter(
    DeadLetterId id,
    Content content,
    String reason,
    int attempts,
    Instant firstFailedAt,
    Instant lastTriedAt) {

  /** What a letter holds. Two letters never hold the same. */
  public sealed interface Content {

    /** Claims of one log entry: all of them, or those that are at fault. */
    record Claims(HandoffEntry entry) implements Content {}

    /**
     * A message that is not what its format demands.
     *
     * @param base64 its body as it came, in base 64
     */
    record Unreadable(String base64) implements Content {}
  }

  /** What is about to become a dead letter, and why. */
  public record Draft(Content content, String reason) {}
}
