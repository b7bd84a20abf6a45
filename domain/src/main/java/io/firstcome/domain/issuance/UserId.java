package io.firstcome.domain.issuance;

/** A customer, as the caller's identity names them: 1 to 64 of {@code A-Z a-z 0-9 . _ @ -}. */
public record UserId(String value) implements Comparable<UserId> {

  private static final int MAX_LENGTH = 64;

  /** The value is left out of the message: user ids do not belong in logs. */
  public UserId {
    if (value.isEmpty() || value.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("userId must have 1 to " + MAX_LENGTH + " characters");
    }
    for (int i = 0; i < value.length(); i++) {
      if (!isAllowed(value.charAt(i))) {
        throw new IllegalArgumentException("userId must be of A-Z, a-z, 0-9 and . _ @ - only");
      }
    }
  }

  private static boolean isAllowed(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == '@'
        || c == '-';
  }

  @Override
  public int compareTo(UserId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
