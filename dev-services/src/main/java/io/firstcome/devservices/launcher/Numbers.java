package io.firstcome.devservices.launcher;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers of the command line, each from 1 to a limit. */
final class Numbers {

  private Numbers() {}

  static final class Port implements ITypeConverter<Integer> {

    private static final int MAX = 65_535;

    @Override
    public Integer convert(String text) {
      return number(text, MAX);
    }
  }

  static final class Stock implements ITypeConverter<Integer> {

    /** The limit of the service for one coupon. */
    private static final int MAX = 100_000_000;

    @Override
    public Integer convert(String text) {
      return number(text, MAX);
    }
  }

  static final class Users implements ITypeConverter<Integer> {

    /** The replies to all users are kept in memory until the check. */
    private static final int MAX = 1_000_000;

    @Override
    public Integer convert(String text) {
      return number(text, MAX);
    }
  }

  static final class Seconds implements ITypeConverter<Integer> {

    /** The limit of the service for the crowd of a rehearsal. */
    private static final int MAX = 600;

    @Override
    public Integer convert(String text) {
      return number(text, MAX);
    }
  }

  static final class Minutes implements ITypeConverter<Integer> {

    /** A week. */
    private static final int MAX = 10_080;

    @Override
    public Integer convert(String text) {
      return number(text, MAX);
    }
  }

  private static int number(String text, int max) {
    try {
      int number = Integer.parseInt(text);
      if (number >= 1 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of range.
    }
    throw new TypeConversionException(
        String.format(Locale.ROOT, "'%s' is not a number from 1 to %d", text, max));
  }
}
