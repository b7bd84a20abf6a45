package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.report.Plot.Point;
import java.util.List;

/** The slope of the least-squares line through points. */
final class Slope {

  private Slope() {}

  /** Zero for fewer than two different values of x. */
  static double of(List<Point> points) {
    double meanX = points.stream().mapToDouble(Point::x).average().orElse(0);
    double meanY = points.stream().mapToDouble(Point::y).average().orElse(0);
    double both = 0;
    double squares = 0;
    for (Point point : points) {
      both += (point.x() - meanX) * (point.y() - meanY);
      squares += (point.x() - meanX) * (point.x() - meanX);
    }
    return squares > 0 ? both / squares : 0;
  }
}
