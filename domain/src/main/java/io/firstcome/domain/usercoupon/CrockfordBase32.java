package io.firstcome.domain.usercoupon;

import java.util.Arrays;

/**
 * Crockford's base 32: digits and capitals without I, L, O and U, which people misread.
 *
 * @see <a href="https://www.crockford.com/base32.html">Douglas Crockford, Base 32</a>
 */
final class CrockfordBase32 {

  static final int TEXT_LENGTH = 16;
  static final int BYTES = TEXT_LENGTH * 5 / 8;

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
    var text = new char[TEXT_LENGTH];
    long buffer = 0;
    int bits = 0;
    int length = 0;
    for (int i = 0; i < BYTES; i++) {
      buffer = (buffer << 8) | (bytes[i] & 0xff);
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        text[length++] = ALPHABET.charAt((int) (buffer >>> bits) & 31);
      }
    }
    return new String(text);
  }

  /** The {@value #BYTES} bytes of a valid text. */
  static byte[] decode(String text) {
    var bytes = new byte[BYTES];
    long buffer = 0;
    int bits = 0;
    int length = 0;
    for (int i = 0; i < TEXT_LENGTH; i++) {
      buffer = (buffer << 5) | VALUES[text.charAt(i)];
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes[length++] = (byte) (buffer >>> bits);
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
