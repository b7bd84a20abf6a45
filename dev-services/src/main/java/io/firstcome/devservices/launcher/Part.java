package io.firstcome.devservices.launcher;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** One of the processes of a running {@code up}. */
enum Part {
  POSTGRES,
  REDIS,
  AMQP,
  SERVICE;

  /** The name on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<Part> named(String label) {
    return Arrays.stream(values()).filter(part -> part.label().equals(label)).findFirst();
  }

  /** Reads the name on the command line. */
  static final class Label implements ITypeConverter<Part> {

    @Override
    public Part convert(String text) {
      return named(text)
          .orElseThrow(
              () -> new TypeConversionException("'%s' is not one of %s".formatted(text, names())));
    }

    private static String names() {
      return Arrays.stream(values()).map(Part::label).collect(Collectors.joining(", "));
    }
  }
}
