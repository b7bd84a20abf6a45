package io.firstcome.bootstrap.rest.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetter.Content;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.SlotClaim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter, as JSON. It has either the members of claims or a body.
 *
 * @param reason why the last attempt to record it failed
 * @param entryId of the hand-off log entry that contained the claims
 * @param claims the claims that are not recorded
 * @param body of a message that cannot be read, in base 64
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record DeadLetterJson(
    long id,
    String reason,
    int attempts,
    String firstFailedAt,
    String lastTriedAt,
    @Nullable String couponId,
    @Nullable Integer partition,
    @Nullable String entryId,
    @Nullable Long epoch,
    @Nullable String acceptedAt,
    @Nullable List<ClaimJson> claims,
    @Nullable String body) {

  /** One claim of a dead letter. */
  record ClaimJson(String userId, int slot) {

    static ClaimJson of(SlotClaim claim) {
      return new ClaimJson(claim.userId().value(), claim.slot().number());
    }
  }

  static DeadLetterJson of(DeadLetter letter) {
    return switch (letter.content()) {
      case Content.Claims(HandoffEntry entry) -> ofClaims(letter, entry);
      case Content.Unreadable(String base64) -> ofBody(letter, base64);
    };
  }

  private static DeadLetterJson ofClaims(DeadLetter letter, HandoffEntry entry) {
    var reference = entry.reference();
    return new DeadLetterJson(
        letter.id().value(),
        letter.reason(),
        letter.attempts(),
        letter.firstFailedAt().toString(),
        letter.lastTriedAt().toString(),
        entry.couponId().value(),
        reference.partition().number(),
        reference.entryId(),
        reference.epoch().number(),
        entry.acceptedAt().toString(),
        entry.claims().stream().map(ClaimJson::of).toList(),
        null);
  }

  private static DeadLetterJson ofBody(DeadLetter letter, String base64) {
    return new DeadLetterJson(
        letter.id().value(),
        letter.reason(),
        letter.attempts(),
        letter.firstFailedAt().toString(),
        letter.lastTriedAt().toString(),
        null,
        null,
        null,
        null,
        null,
        null,
        base64);
  }
}
