package io.firstcome.benchmark.bench.report;

import java.util.List;

/**
 * The processor time of requests of one kind.
 *
 * @param request the kind
 * @param parts by program; together they are all processor time of the machine during the load
 */
public record Cost(String request, List<Part> parts) {

  public Cost {
    parts = List.copyOf(parts);
  }

  /**
   * The part of a program.
   *
   * @param micros microseconds per request
   */
  public record Part(String program, double micros) {}

  double micros() {
    return parts.stream().mapToDouble(Part::micros).sum();
  }
}
