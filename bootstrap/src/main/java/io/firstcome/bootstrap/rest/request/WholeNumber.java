package io.firstcome.bootstrap.rest.request;

import io.firstcome.bootstrap.problem.Problem;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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

  /**
   * A number that can be left out, in a query or a form.
   *
   * @param name of the parameter
   * @return null if the text is missing or blank
   * @throws Problem if it is none, or too large
   */
  public static @Nullable Integer optional(String name, @Nullable String text) {
    if (text == null || text.isBlank()) {
      return null;
    }
    try {
      return Math.toIntExact(parse(text.strip()));
    } catch (NumberFormatException | ArithmeticException e) {
      throw Problem.malformed(name + " must be a whole number.");
    }
  }
}
