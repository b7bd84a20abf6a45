package io.firstcome.contracts.fuzz;

/**
 * A parser with assertions about its result. It fails with any exception.
 *
 * @param type the class with the method {@code public static void fuzzerTestOneInput(byte[])},
 *     which the fuzzer calls by that name
 * @param parser that method
 */
public record FuzzTarget(Class<?> type, Parser parser) {

  /** Parses an input and checks the result. */
  @FunctionalInterface
  public interface Parser {
    void parse(byte[] input) throws Exception;
  }

  String name() {
    return type.getSimpleName();
  }
}
