package io.firstcome.benchmark.bench;

import io.firstcome.benchmark.bench.report.Plot.Point;
import java.util.List;

/** The slope of the straight line that is nearest to the points, by least squares. */
final class Slope {

  private Slope() {}

  /** Zero where there are fewer than two different places. */
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
