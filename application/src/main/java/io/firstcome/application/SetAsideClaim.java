package io.firstcome.application;

import io.firstcome.domain.issuance.DeadLetter;
import io.firstcome.domain.issuance.DeadLetter.Content;
import io.firstcome.domain.issuance.HandoffEntry;

/**
 * A claim that can never be recorded as it stands.
 *
 * @param entry its log entry, with this claim alone
 * @param reason in words, without the user's id
 */
record SetAsideClaim(HandoffEntry entry, String reason) {

  /** The reason where nothing more is known of it. */
  static final String REFUSED = "the database refuses it";

  DeadLetter.Draft draft() {
    return new DeadLetter.Draft(new Content.Claims(entry), reason);
  }
}
