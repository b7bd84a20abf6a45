package io.firstcome.systemtests.agent;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The n-th time that a method is entered or returns normally, written {@code
 * io.firstcome.application.claim.ClaimCoupon#claim@exit:3}. Overloads are counted together; an
 * exception is no exit.
 *
 * @param pass the number of the pass, counted from 1 in this JVM
 */
public record HaltPoint(String className, String method, Moment moment, int pass) {

  /** Before the first instruction, or before a return. */
  public enum Moment {
    ENTER,
    EXIT
  }

  private static final Pattern TEXT =
      Pattern.compile("([\\w$]+(?:\\.[\\w$]+)*)#([\\w$]+)@(enter|exit):([1-9]\\d{0,8})");

  /** Reads what {@link #toString()} writes. */
  public static HaltPoint parse(String text) {
    var parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "a point is written class#method@enter:n or class#method@exit:n: '%s'".formatted(text));
    }
    return new HaltPoint(
        parts.group(1),
        parts.group(2),
        Moment.valueOf(parts.group(3).toUpperCase(Locale.ROOT)),
        Integer.parseInt(parts.group(4)));
  }

  /** The class name in the form of class files. */
  String internalName() {
    return className.replace('.', '/');
  }

  @Override
  public String toString() {
    return "%s#%s@%s:%d".formatted(className, method, moment.name().toLowerCase(Locale.ROOT), pass);
  }
}
