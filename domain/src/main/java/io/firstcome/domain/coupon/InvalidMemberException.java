package io.firstcome.domain.coupon;

/** A member of a definition is invalid in combination with another one. */
public final class InvalidMemberException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final String member;

  /**
   * @param member its name, also the path in JSON, as in {@code validity.until}
   * @param fault what is wrong, which follows the name in the message
   */
  InvalidMemberException(String member, String fault) {
    super(member + " " + fault);
    this.member = member;
  }

  public String member() {
    return member;
  }
}
