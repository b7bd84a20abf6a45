package io.firstcome.domain.usercoupon;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Crockford's base 32: digits and capitals without I, L, O and U, which people misread.
 *
 * @see <a href="https://www.crockford.com/base32.html">Douglas Crockford, Base 32</a>
 */
final class CrockfordBase32 {

  /** Eight characters of five bits are five bytes. */
  private static final int GROUP_TEXT = 8;

  private static final int GROUP_BYTES = 5;
  private static final int GROUPS = 2;

  static final int TEXT_LENGTH = GROUPS * GROUP_TEXT;
  static final int BYTES = GROUPS * GROUP_BYTES;

  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  /** The value of each ASCII character, or -1 if it is not of the alphabet. */
  private static final byte[] VALUES = values();

  private CrockfordBase32() {}

  private static byte[] values() {
    var values = new byte[128];
    Arrays.fill(values, (byte) -1);
    for (int i = 0; i < ALPHABET.length(); i++) {
      values[ALPHABET.charAt(i)] = (byte) i;
    }
    return values;
  }

  /** {@value #TEXT_LENGTH} characters for the first {@value #BYTES} bytes. */
  static String encode(byte[] bytes) {
    var text = new byte[TEXT_LENGTH];
    for (int group = 0; group < GROUPS; group++) {
      long bits = 0;
      for (int i = 0; i < GROUP_BYTES; i++) {
        bits = (bits << 8) | (bytes[group * GROUP_BYTES + i] & 0xff);
      }
      for (int i = GROUP_TEXT - 1; i >= 0; i--) {
        text[group * GROUP_TEXT + i] = (byte) ALPHABET.charAt((int) bits & 31);
        bits >>>= 5;
      }
    }
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /** The {@value #BYTES} bytes of a valid text. */
  static byte[] decode(String text) {
    var bytes = new byte[BYTES];
    for (int group = 0; group < GROUPS; group++) {
      long bits = 0;
      for (int i = 0; i < GROUP_TEXT; i++) {
        bits = (bits << 5) | VALUES[text.charAt(group * GROUP_TEXT + i)];
      }
      for (int i = GROUP_BYTES - 1; i >= 0; i--) {
        bytes[group * GROUP_BYTES + i] = (byte) bits;
        bits >>>= 8;
      }
    }
    return bytes;
  }

  /**
   * The canonical form of a typed text: upper case, without hyphens and blanks, O as 0, and I and L
   * as 1. Any other character stays.
   */
  static String normalized(String typed) {
    var text = new StringBuilder(TEXT_LENGTH);
    for (int i = 0; i < typed.length(); i++) {
      char c = typed.charAt(i);
      if (c != '-' && !Character.isWhitespace(c) && !Character.isSpaceChar(c)) {
        text.append(written(c));
      }
    }
    return text.toString();
  }

  /** Converts ASCII letters alone: the case mapping of some other letters is an ASCII I or K. */
  private static char written(char typed) {
    char capital = typed >= 'a' && typed <= 'z' ? (char) (typed - 'a' + 'A') : typed;
    return switch (capital) {
      case 'O' -> '0';
      case 'I', 'L' -> '1';
      default -> capital;
    };
  }

  static void requireText(String member, String text) {
    if (text.length() != TEXT_LENGTH || !isOfAlphabet(text)) {
      throw new IllegalArgumentException(
          member + " must be " + TEXT_LENGTH + " characters of Crockford base 32");
    }
  }

  private static boolean isOfAlphabet(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= VALUES.length || VALUES[c] < 0) {
        return false;
      }
    }
    return true;
  }
}
