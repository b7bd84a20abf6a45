package io.firstcome.application.recording;

import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetterId;
import io.firstcome.domain.port.DeadLetters;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shows operators the dead letters. */
public final class ReadDeadLetters {

  private final DeadLetters letters;

  public ReadDeadLetters(DeadLetters letters) {
    this.letters = letters;
  }

  /**
   * Letters, oldest first.
   *
   * @param after the last letter of the previous page, or null
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public List<DeadLetter> page(@Nullable DeadLetterId after, int max) {
    return letters.page(after, max);
  }

  /**
   * One letter.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<DeadLetter> find(DeadLetterId id) {
    return letters.find(id);
  }
}
