package io.firstcome.benchmark.bench.report;

import java.util.List;

/**
 * A line plot.
 *
 * @param name of its file, without extension
 * @param categories labels at 0, 1 and so on of the horizontal axis; if empty, the axis has numbers
 */
public record Plot(
    String name,
    String title,
    String horizontal,
    String vertical,
    List<String> categories,
    List<Line> lines) {

  public Plot {
    categories = List.copyOf(categories);
    lines = List.copyOf(lines);
  }

  /** One line with its name in the legend. */
  public record Line(String name, List<Point> points) {

    public Line {
      points = List.copyOf(points);
    }
  }

  /** A point, whose y is 0 or more. */
  public record Point(double x, double y) {}
}
