package io.firstcome.domain.handoff;

import io.firstcome.domain.issuance.UserId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/**
 * A claim or message that could not be recorded, stored until it is.
 *
 * @param reason of the last failure; human-readable, without a user's id
 * @param attempts to record it, including the one that made it a dead letter
 * @param firstFailedAt when it became a dead letter
 * @param lastTriedAt when the last attempt failed, or began if it has not failed yet
 */
public record DeadLetter(
    DeadLetterId id,
    Content content,
    String reason,
    int attempts,
    Instant firstFailedAt,
    Instant lastTriedAt) {

  /** The content of a letter. No two letters have the same. */
  public sealed interface Content {

    /** Claims of one log entry: all of them, or those that failed. */
    record Claims(HandoffEntry entry) implements Content {}

    /**
     * A message that does not have a known format.
     *
     * @param base64 its unchanged body, in Base64
     */
    record Unreadable(String base64) implements Content {

      /** The user id as messages have it: a JSON string, in ASCII. */
      public static String nameOf(UserId user) {
        return '"' + user.value().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
      }

      /** Whether its body has {@link #nameOf}. */
      public boolean names(UserId user) {
        var body = new String(Base64.getDecoder().decode(base64), StandardCharsets.ISO_8859_1);
        return body.contains(nameOf(user));
      }
    }
  }

  /** The content of a new dead letter, and the reason. */
  public record Draft(Content content, String reason) {}
}
