package io.firstcome.domain.waitingroom;

/**
 * Places of which most have no user, since a waiting room lost its data: tickets above the last one
 * that was noted, and below the first one that was given afterwards.
 *
 * @param after the place before the first one
 * @param to the last one
 */
public record Gap(int after, int to) {

  public Gap {
    if (after < 0 || to <= after) {
      throw new IllegalArgumentException(
          "gap must have places: after %d to %d".formatted(after, to));
    }
  }
}
