package io.firstcome.domain.issuance;

/**
 * What a stock backend says of one partition before anything is asked of it.
 *
 * @param epoch of the fence, {@link Epoch#NONE} where it is missing
 * @param ofThisServer whether the fence was set on this very run of this very server; a restart, a
 *     promotion or a fail-back makes it false
 */
public record FenceState(Kind kind, Epoch epoch, boolean ofThisServer) {

  /** How far the partition is. */
  public enum Kind {
    MISSING,
    RECOVERING,
    OPEN
  }

  /** Whether claims of that epoch are taken by every coupon of the partition. */
  public boolean isOpenAt(Epoch expected) {
    return kind == Kind.OPEN && ofThisServer && epoch.equals(expected);
  }
}
