package io.firstcome.domain.issuance;

/**
 * The id of a customer, from the caller's authentication: 1 to 128 printable ASCII characters
 * without space, compared byte by byte. So it can be the subject of any issuer of tokens, and a
 * space can separate it from others.
 */
public record UserId(String value) implements Comparable<UserId> {

  private static final int MAX_LENGTH = 128;

  /** The beginning of the pseudonyms of users who were erased. No caller has such an id. */
  public static final String PSEUDONYM_PREFIX = "erased:";

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

  /**
   * The pseudonym of a user who was erased.
   *
   * @param text what follows the prefix of pseudonyms
   */
  public static UserId pseudonym(String text) {
    return new UserId(PSEUDONYM_PREFIX + text);
  }

  /**
   * The id of a user who sends a request or is named in one.
   *
   * @throws IllegalArgumentException if it is not a valid id, or has the form of a pseudonym
   */
  public static UserId ofCaller(String value) {
    var id = new UserId(value);
    if (id.isPseudonym()) {
      throw new IllegalArgumentException("userId must not begin with " + PSEUDONYM_PREFIX);
    }
    return id;
  }

  /** Whether it stands in place of the id of a user who was erased. */
  public boolean isPseudonym() {
    return value.startsWith(PSEUDONYM_PREFIX);
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
