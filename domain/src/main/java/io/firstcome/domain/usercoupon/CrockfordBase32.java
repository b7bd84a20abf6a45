package io.firstcome.domain.usercoupon;

/**
 * Crockford's base 32: digits and capitals without I, L, O and U, which people misread.
 *
 * @see <a href="https://www.crockford.com/base32.html">Douglas Crockford, Base 32</a>
 */
final class CrockfordBase32 {

  static final int TEXT_LENGTH = 16;
  static final int BYTES = TEXT_LENGTH * 5 / 8;

  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  private CrockfordBase32() {}

  /** {@value #TEXT_LENGTH} characters for the {@value #BYTES} bytes from {@code offset} on. */
  static String encode(byte[] bytes, int offset) {
    var text = new char[TEXT_LENGTH];
    long buffer = 0;
    int bits = 0;
    int length = 0;
    for (int i = offset; i < offset + BYTES; i++) {
      buffer = (buffer << 8) | (bytes[i] & 0xff);
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        text[length++] = ALPHABET.charAt((int) (buffer >>> bits) & 31);
      }
    }
    return new String(text);
  }

  /**
   * What somebody typed, as it is written: small letters are capitals, hyphens and blanks are not
   * there, O is 0, and I and L are 1. What is none of this stays as it is.
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

  /** Of ASCII alone: elsewhere there are letters whose capital is an I or a K. */
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
      if (ALPHABET.indexOf(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }
}
