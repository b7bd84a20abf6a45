package io.firstcome.application;

import io.firstcome.domain.issuance.DeadLetter;
import io.firstcome.domain.issuance.DeadLetterId;
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
   * Letters in the order in which they came.
   *
   * @param after the last letter of the page before, or null
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is away
   */
  public List<DeadLetter> page(@Nullable DeadLetterId after, int max) {
    return letters.page(after, max);
  }

  /**
   * One letter.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is away
   */
  public Optional<DeadLetter> find(DeadLetterId id) {
    return letters.find(id);
  }
}
