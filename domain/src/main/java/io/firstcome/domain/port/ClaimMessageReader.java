package io.firstcome.domain.port;

import io.firstcome.domain.handoff.HandoffEntry;

/** Decodes the body of a claim message that another release could not decode. */
public interface ClaimMessageReader {

  /** The result of decoding a message's body. */
  sealed interface Reading {

    record Decoded(HandoffEntry entry) implements Reading {}

    /**
     * The body has no format that this release knows.
     *
     * @param reason human-readable, without a user's id
     */
    record Unreadable(String reason) implements Reading {}
  }

  Reading read(byte[] body);
}
