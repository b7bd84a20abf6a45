package io.firstcome.domain.observation;

import java.time.Duration;
import java.util.Optional;

/**
 * How much of a long piece of work is done.
 *
 * @param done parts, 0 or more
 * @param all parts, as far as is known; if there are more than that, {@code done}
 * @param took for the parts that are done
 */
public record Completion(long done, long all, Duration took) {

  private static final int PERCENT = 100;

  public Completion {
    if (done < 0) {
      throw new IllegalArgumentException("done " + done);
    }
    all = Math.max(all, done);
  }

  /** 0 to 100, and 100 only if all is done. */
  public int percent() {
    return all == 0 ? 0 : (int) (PERCENT * done / all);
  }

  /**
   * The time for the rest, if each part of it takes as long as the parts that are done; empty if
   * none is done.
   */
  public Optional<Duration> left() {
    return done == 0
        ? Optional.empty()
        : Optional.of(Duration.ofMillis((long) ((double) took.toMillis() / done * (all - done))));
  }
}
