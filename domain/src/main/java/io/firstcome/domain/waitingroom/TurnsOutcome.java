package io.firstcome.domain.waitingroom;

/** The stock backend's answer to the claims of users whose turn it is. */
public sealed interface TurnsOutcome {

  /**
   * The claims took effect up to a place.
   *
   * @param last the last place of those whose claim has its final outcome; all of them, unless the
   *     coupon cannot be claimed at the moment
   */
  record Claimed(int last) implements TurnsOutcome {}

  /**
   * The room has claimed for these places before, or not for those before them: nothing happened.
   */
  record OtherTurns() implements TurnsOutcome {}

  /** Users were erased, and the claims have no pseudonyms: nothing happened. */
  record PseudonymsNeeded() implements TurnsOutcome {}
}
