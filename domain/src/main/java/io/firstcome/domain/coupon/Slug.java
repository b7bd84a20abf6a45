package io.firstcome.domain.coupon;

import java.util.regex.Pattern;

/** The format of ids that operators choose. */
final class Slug {

  private static final Pattern FORMAT = Pattern.compile("[A-Z0-9][A-Z0-9-]{1,39}");

  private Slug() {}

  /**
   * Checks an id.
   *
   * @param member its name, for the message
   * @throws IllegalArgumentException if it does not have the format
   */
  static void require(String member, String value) {
    if (!FORMAT.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "%s must be 2 to 40 of A-Z, 0-9 and '-', not starting with '-': '%s'"
              .formatted(member, value));
    }
  }
}
