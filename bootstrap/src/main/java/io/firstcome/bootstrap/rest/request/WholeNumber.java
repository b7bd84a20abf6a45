package io.firstcome.bootstrap.rest.request;

import java.util.regex.Pattern;

/** A whole number in a path or a query, in ASCII digits without a sign. */
public final class WholeNumber {

  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  private WholeNumber() {}

  /**
   * Parses it. {@link Long#parseLong} alone would accept signs and the digits of other scripts.
   *
   * @throws NumberFormatException if it is none, or too large
   */
  public static long parse(String text) {
    if (!DIGITS.matcher(text).matches()) {
      throw new NumberFormatException("not a whole number");
    }
    return Long.parseLong(text);
  }
}
