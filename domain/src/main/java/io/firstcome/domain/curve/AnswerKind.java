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
  /** Not decided, since the coupon or its partition is being recovered. */
  RECOVERING,
  /** Not decided, since too many claims waited. */
  OVERLOADED,
  /** The stock did not reply in time: the user may have got a slot. */
  OUTCOME_UNKNOWN
}
