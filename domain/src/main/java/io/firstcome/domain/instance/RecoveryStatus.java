package io.firstcome.domain.instance;

import org.jspecify.annotations.Nullable;

/**
 * How far a recovery is, or why it has not succeeded.
 *
 * @param text a sentence for operators, with figures
 * @param percent 0 to 100; null if it is not known how much is left
 */
public record RecoveryStatus(String text, @Nullable Integer percent) {

  public RecoveryStatus {
    if (percent != null && (percent < 0 || percent > 100)) {
      throw new IllegalArgumentException("percent " + percent);
    }
  }
}
