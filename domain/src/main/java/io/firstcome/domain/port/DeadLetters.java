package io.firstcome.domain.port;

import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetterId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Claims and messages that could not be recorded, stored until they are. Failures are {@link
 * DatabaseUnavailableException}s.
 */
public interface DeadLetters {

  /**
   * Stores the letters and returns only when they are durable. A letter with the content of a
   * stored one counts as another failure of that one, with the new reason.
   */
  void add(List<DeadLetter.Draft> letters, Instant now);

  /**
   * Letters, oldest first.
   *
   * @param after the last letter of the previous page, or null
   */
  List<DeadLetter> page(@Nullable DeadLetterId after, int max);

  /** How many letters there are, or {@code max} if there are more. */
  int count(int max);

  Optional<DeadLetter> find(DeadLetterId id);

  /**
   * Counts another attempt at the letter and returns the letter. An attempt is counted before it is
   * made, so that one that crashes the process is counted too.
   *
   * @return the letter including that attempt; empty if there is none
   */
  Optional<DeadLetter> begin(DeadLetterId id, Instant now);

  /**
   * Does the same with the due letter whose last attempt is the oldest. A letter is due {@code
   * pause} after its first attempt, doubled with each further one, until there were {@code
   * maxAttempts}. Concurrent callers get different letters, or none.
   *
   * <p>One letter at a time: a letter that crashes the process costs no other letter an attempt.
   */
  Optional<DeadLetter> beginDue(Instant now, Duration pause, int maxAttempts);

  /** Notes why the last attempt has failed; no effect if the letter is gone. */
  void failed(DeadLetterId id, String reason);

  /**
   * Deletes the letter: its claims are all stored as rows, late claims or other letters, or can
   * never be recorded.
   */
  void remove(DeadLetterId id);
}
