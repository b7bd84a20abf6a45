package io.firstcome.domain.issuance;

/**
 * The id of a customer, from the caller's authentication: 1 to 64 of {@code A-Z a-z 0-9 . _ @ -}.
 */
public record UserId(String value) implements Comparable<UserId> {

  private static final int MAX_LENGTH = 64;

  /** Indexed by character: a lookup costs the same for all, without branches to mispredict. */
  private static final boolean[] ALLOWED = allowed();

  /** The message does not contain the value: user ids must not be in logs. */
  public UserId {
    if (value.isEmpty() || value.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("userId must have 1 to " + MAX_LENGTH + " characters");
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c >= ALLOWED.length || !ALLOWED[c]) {
        throw new IllegalArgumentException("userId must be of A-Z, a-z, 0-9 and . _ @ - only");
      }
    }
  }

  private static boolean[] allowed() {
    var allowed = new boolean['z' + 1];
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._@-"
        .chars()
        .forEach(c -> allowed[c] = true);
    return allowed;
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
