package io.firstcome.domain.issuance;

/**
 * The id of a customer, from the caller's authentication: 1 to 128 printable ASCII characters
 * without space, compared byte by byte. So it can be the subject of any issuer of tokens, and a
 * space can separate it from others.
 */
public record UserId(String value) implements Comparable<UserId> {

  private static final int MAX_LENGTH = 128;

  /** The message does not contain the value: user ids must not be in logs. */
  public UserId {
    if (value.isEmpty() || value.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("userId must have 1 to " + MAX_LENGTH + " characters");
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c <= ' ' || c > '~') {
        throw new IllegalArgumentException(
            "userId must be of printable ASCII characters without space only");
      }
    }
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
