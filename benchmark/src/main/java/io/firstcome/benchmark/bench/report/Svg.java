package io.firstcome.benchmark.bench.report;

import io.firstcome.benchmark.bench.report.Plot.Line;
import io.firstcome.benchmark.bench.report.Plot.Point;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A plot as SVG text. */
public final class Svg {

  private static final int WIDTH = 760;
  private static final int HEIGHT = 420;
  private static final int LEFT = 90;
  private static final int RIGHT = 20;
  private static final int TOP = 70;
  private static final int BOTTOM = 60;
  private static final int TICKS = 6;
  private static final int LEGEND_WIDTH = 230;
  private static final List<String> COLOURS =
      List.of("#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df");

  private final Plot plot;
  private final Scale across;
  private final Scale up;

  private Svg(Plot plot) {
    this.plot = plot;
    boolean named = !plot.categories().isEmpty();
    this.across =
        named
            ? new Scale(0, Math.max(1, plot.categories().size() - 1), 1)
            : Scale.upTo(largest(plot, true));
    this.up = Scale.upTo(largest(plot, false));
  }

  /** An axis from a low to a high end, with a mark at each step. */
  record Scale(double low, double high, double step) {

    /** From 0 to a round number not below the largest value, in round steps. */
    static Scale upTo(double largest) {
      double least = largest > 0 ? largest / TICKS : 1.0 / TICKS;
      double power = Math.pow(10, Math.floor(Math.log10(least)));
      double step = power * 10;
      for (int digit : new int[] {5, 2, 1}) {
        step = digit * power >= least ? digit * power : step;
      }
      return new Scale(0, step * Math.max(1, Math.ceil(largest / step)), step);
    }

    double share(double value) {
      return (value - low) / (high - low);
    }

    int marks() {
      return (int) Math.round((high - low) / step);
    }
  }

  public static String of(Plot plot) {
    return new Svg(plot).draw();
  }

  private static double largest(Plot plot, boolean horizontal) {
    return plot.lines().stream()
        .flatMap(line -> line.points().stream())
        .mapToDouble(point -> horizontal ? point.x() : point.y())
        .max()
        .orElse(1);
  }

  private String draw() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" \
        viewBox="0 0 %1$d %2$d" font-family="sans-serif" font-size="12">
        <rect width="%1$d" height="%2$d" fill="#ffffff"/>
        """
            .formatted(WIDTH, HEIGHT));
    svg.append(text(LEFT, 24, "start", plot.title(), " font-size=\"15\" font-weight=\"bold\""));
    drawMarks(svg);
    for (int i = 0; i < plot.lines().size(); i++) {
      drawLine(svg, plot.lines().get(i), i);
    }
    svg.append(text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", plot.horizontal(), ""));
    double middle = (TOP + HEIGHT - BOTTOM) / 2.0;
    String rotation = " transform=\"rotate(-90 18 %s)\"".formatted(number(middle));
    svg.append(text(18, middle, "middle", plot.vertical(), rotation));
    return svg.append("</svg>\n").toString();
  }

  private void drawMarks(StringBuilder svg) {
    for (int mark = 0; mark <= up.marks(); mark++) {
      double value = up.low() + mark * up.step();
      svg.append(line(LEFT, y(value), WIDTH - RIGHT, y(value), mark == 0 ? "#57606a" : "#d8dee4"));
      svg.append(text(LEFT - 8, y(value) + 4, "end", label(value), ""));
    }
    for (int mark = 0; mark <= across.marks(); mark++) {
      double value = across.low() + mark * across.step();
      svg.append(line(x(value), HEIGHT - BOTTOM, x(value), HEIGHT - BOTTOM + 5, "#57606a"));
      boolean named = mark < plot.categories().size();
      String name = named ? plot.categories().get(mark) : label(value);
      svg.append(text(x(value), HEIGHT - BOTTOM + 20, "middle", name, ""));
    }
  }

  private void drawLine(StringBuilder svg, Line line, int number) {
    String colour = COLOURS.get(number % COLOURS.size());
    String points =
        line.points().stream()
            .map(point -> number(x(point.x())) + "," + number(y(point.y())))
            .collect(Collectors.joining(" "));
    svg.append(
        "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>\n"
            .formatted(colour, points));
    if (!plot.categories().isEmpty()) {
      for (Point point : line.points()) {
        svg.append(
            "<circle cx=\"%s\" cy=\"%s\" r=\"3\" fill=\"%s\"/>\n"
                .formatted(number(x(point.x())), number(y(point.y())), colour));
      }
    }
    double left = LEFT + (double) number * LEGEND_WIDTH;
    svg.append(line(left, 46, left + 20, 46, colour));
    svg.append(text(left + 26, 50, "start", line.name(), ""));
  }

  private double x(double value) {
    return LEFT + across.share(value) * (WIDTH - LEFT - RIGHT);
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - up.share(value) * (HEIGHT - TOP - BOTTOM);
  }

  private static String line(double x1, double y1, double x2, double y2, String colour) {
    return "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\"/>\n"
        .formatted(number(x1), number(y1), number(x2), number(y2), colour);
  }

  private static String text(double x, double y, String anchor, String text, String attributes) {
    return "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\"%s>%s</text>\n"
        .formatted(number(x), number(y), anchor, attributes, escaped(text));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /** The label of a mark: whole numbers without a fraction. */
  private static String label(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3g", value);
  }
}
