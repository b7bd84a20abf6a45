package io.firstcome.benchmark.bench.report;

import java.util.List;

/**
 * Processor time that requests of one kind took.
 *
 * @param request of which kind
 * @param parts of it, by program; they are all that the machine did meanwhile
 */
public record Cost(String request, List<Part> parts) {

  public Cost {
    parts = List.copyOf(parts);
  }

  /**
   * A program's part.
   *
   * @param micros for a request, in microseconds
   */
  public record Part(String program, double micros) {}

  double micros() {
    return parts.stream().mapToDouble(Part::micros).sum();
  }
}
