package io.firstcome.domain.issuance;

/**
 * The state of one partition's fence in the stock backend.
 *
 * @param epoch of the fence, {@link Epoch#NONE} if it is missing
 * @param ofThisServer whether the fence was set on the current run of the current server; a
 *     restart, a promotion or a fail-back makes it false
 */
public record FenceState(Kind kind, Epoch epoch, boolean ofThisServer) {

  /** The phase of the partition. */
  public enum Kind {
    MISSING,
    RECOVERING,
    OPEN
  }

  /** Whether every coupon of the partition accepts claims of that epoch. */
  public boolean isOpenAt(Epoch expected) {
    return kind == Kind.OPEN && ofThisServer && epoch.equals(expected);
  }
}
