package io.firstcome.domain.coupon;

import java.util.Set;

/** The rule for texts that people write and other people read, such as names and reasons. */
public final class TextLine {

  /**
   * Characters that change the direction of the text after them, so that it reads differently from
   * what it is (Unicode Standard Annex 9).
   */
  private static final Set<Integer> DIRECTIONS =
      Set.of(
          0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068,
          0x2069);

  private TextLine() {}

  /**
   * Checks a text: one line, not blank.
   *
   * @param member what the text is, for the message
   * @param maxLength in Unicode code points, as in JSON Schema and in PostgreSQL
   * @return the text
   * @throws IllegalArgumentException if it is blank or too long, or has control characters,
   *     unpaired surrogates or characters that change the direction of text
   */
  public static String require(String member, String text, int maxLength) {
    if (text.isBlank() || text.codePointCount(0, text.length()) > maxLength) {
      throw new IllegalArgumentException(
          "%s must have 1 to %d characters, and not only spaces: '%s'"
              .formatted(member, maxLength, text));
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(member + " must not contain control characters");
    }
    if (text.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
      throw new IllegalArgumentException(member + " must not contain unpaired surrogates");
    }
    if (text.codePoints().anyMatch(DIRECTIONS::contains)) {
      throw new IllegalArgumentException(member + " must not change the direction of text");
    }
    return text;
  }
}
