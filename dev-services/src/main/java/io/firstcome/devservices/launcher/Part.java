package io.firstcome.devservices.launcher;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

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

  static String names() {
    return Arrays.stream(values()).map(Part::label).collect(Collectors.joining(", "));
  }
}
