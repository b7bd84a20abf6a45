package io.firstcome.domain.usercoupon;

/**
 * This instance does not have the code key of a coupon. Another instance may have it, so the same
 * call can succeed there, or here after the key is installed.
 */
public final class MissingCodeKeyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int version;

  MissingCodeKeyException(int version) {
    super("no code key of version " + version + " is installed");
    this.version = version;
  }

  /** The version that is missing. */
  public int version() {
    return version;
  }
}
