package io.firstcome.application.recording;

import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetter.Content;
import io.firstcome.domain.handoff.HandoffEntry;

/**
 * A claim that cannot be recorded as it is.
 *
 * @param entry its log entry, with this claim alone
 * @param reason human-readable, without the user's id
 */
record SetAsideClaim(HandoffEntry entry, String reason) {

  /** The reason if no other is known. */
  static final String REFUSED = "the database refuses it";

  DeadLetter.Draft draft() {
    return new DeadLetter.Draft(new Content.Claims(entry), reason);
  }
}
