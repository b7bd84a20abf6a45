package io.firstcome.benchmark.bench.report;

import java.util.List;

/**
 * A plot of lines.
 *
 * @param name of its file, without the ending
 * @param categories names of the places on the horizontal axis, 0 and up; without any the axis is
 *     one of numbers
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

  /** A place, with an ordinate of 0 or more. */
  public record Point(double x, double y) {}
}
