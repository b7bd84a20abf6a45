package io.firstcome.domain.port;

import io.firstcome.domain.issuance.DeadLetter;
import io.firstcome.domain.issuance.DeadLetterId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What could not be recorded, kept until it is. Failures are {@link DatabaseUnavailableException}s.
 */
public interface DeadLetters {

  /**
   * Keeps the letters and returns only when they are kept durably. Where there is a letter of the
   * same content, that one has failed once more, for the new reason.
   */
  void add(List<DeadLetter.Draft> letters, Instant now);

  /**
   * Letters in the order in which they came.
   *
   * @param after the last letter of the page before, or null
   */
  List<DeadLetter> page(@Nullable DeadLetterId after, int max);

  Optional<DeadLetter> find(DeadLetterId id);

  /**
   * Counts another attempt at the letter and hands it out. An attempt is counted before it is made,
   * so that one which ends the process is counted too.
   *
   * @return the letter with that attempt; empty where there is none
   */
  Optional<DeadLetter> begin(DeadLetterId id, Instant now);

  /**
   * Does the same with the letter that was left alone for longest of those that are due. One is due
   * {@code pause} after its first attempt, doubled with each further one, until there were {@code
   * maxAttempts}. Callers at the same time get different ones, or none.
   *
   * <p>It is one at a time so that a letter which ends the process costs no other one an attempt.
   */
  Optional<DeadLetter> beginDue(Instant now, Duration pause, int maxAttempts);

  /** Notes why the last attempt has failed; without effect where the letter is gone. */
  void failed(DeadLetterId id, String reason);

  /** Forgets the letter, all of whose claims have come to rest or are in other letters. */
  void remove(DeadLetterId id);
}
