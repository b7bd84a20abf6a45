package io.firstcome.systemtests.kit;

/**
 * A claim request as its sender saw it.
 *
 * @param beginNanos taken before the first byte was sent
 * @param endNanos taken after the last byte of the answer was read; {@link Long#MAX_VALUE} if there
 *     was none
 * @param outcome the answer's outcome, or the name of the problem; empty if there was no answer
 * @param slot 0 if the answer has none
 * @param userCouponId empty if the answer has none, like the code
 */
public record RecordedClaim(
    long id,
    String couponId,
    String user,
    long beginNanos,
    long endNanos,
    Kind kind,
    int status,
    String outcome,
    int slot,
    String userCouponId,
    String code) {

  /** What the answer says about the effect of the request. */
  public enum Kind {
    /** The user has the coupon. */
    OK,
    /** Refused without effect. */
    REFUSED,
    /** The request may or may not have taken effect. */
    UNKNOWN
  }

  public boolean isOk() {
    return kind == Kind.OK;
  }

  /** Whether the answer says that an earlier claim of the user was accepted. */
  public boolean isRepeated() {
    return outcome.startsWith("ALREADY_");
  }

  /** Whether the answer was "sold out", which must stay true. */
  public boolean isSoldOut() {
    return outcome.equals("sold-out");
  }

  /** Whether the answer is final: a retry would get the same. */
  boolean isSettled() {
    return kind != Kind.UNKNOWN && status < 500 && status != 429;
  }
}
