package io.firstcome.systemtests.kit;

/**
 * A claim request as its sender saw it.
 *
 * @param beginNanos taken before the first byte was sent
 * @param endNanos taken after the last byte of the answer was read; {@link Long#MAX_VALUE} if there
 *     was none
 * @param outcome the answer's outcome, or the name of the problem; empty if there was no answer
 * @param slot 0 where none was told
 * @param userCouponId empty where none was told, like the code
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

  /** What the sender knows after it. */
  public enum Kind {
    /** The user has the coupon. */
    OK,
    /** The user was told that nothing happened. */
    REFUSED,
    /** It may or may not have happened. */
    UNKNOWN
  }

  public boolean isOk() {
    return kind == Kind.OK;
  }

  /** Told "sold out", which must be true for ever. */
  public boolean isSoldOut() {
    return outcome.equals("sold-out");
  }

  /** Whether a retry could bring another answer. */
  boolean isSettled() {
    return kind != Kind.UNKNOWN && status < 500 && status != 429;
  }
}
