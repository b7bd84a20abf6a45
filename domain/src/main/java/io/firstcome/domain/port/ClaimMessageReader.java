package io.firstcome.domain.port;

import io.firstcome.domain.issuance.HandoffEntry;

/** Reads a message that an earlier release, or another one, could not read. */
public interface ClaimMessageReader {

  /** What a message's body turned out to be. */
  sealed interface Reading {

    record Decoded(HandoffEntry entry) implements Reading {}

    /**
     * Not a message of a format that this release knows.
     *
     * @param reason in words, without a user's id
     */
    record Unreadable(String reason) implements Reading {}
  }

  Reading read(byte[] body);
}
