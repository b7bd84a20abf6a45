package io.firstcome.domain.curve;

/** Kinds of answers to claims, as a curve tells them apart. */
public enum AnswerKind {
  /** The user has got a slot. */
  ACCEPTED,
  /** The user had a slot already. */
  ALREADY_CLAIMED,
  /** No slot was left. */
  SOLD_OUT,
  /** Refused for another reason, such as a coupon that is not open. */
  REFUSED,
  /** Not decided, or without a known outcome: the client repeats the claim. */
  UNAVAILABLE
}
