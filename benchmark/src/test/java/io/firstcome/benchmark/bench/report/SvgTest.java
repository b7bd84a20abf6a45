package io.firstcome.benchmark.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class SvgTest {

  @Test
  void lines_go_through_their_points_within_the_axes() throws Exception {
    NodeList lines = parse(Svg.of(Samples.plot())).getElementsByTagName("polyline");

    assertThat(lines.getLength()).isEqualTo(2);
    // From one corner of the plot to the other: both scales end at the largest value.
    assertThat(points(lines, 0)).isEqualTo("90.0,360.0 740.0,70.0");
    assertThat(points(lines, 1)).isEqualTo("415.0,215.0");
  }

  @Test
  void texts_are_escaped() throws Exception {
    assertThat(texts(parse(Svg.of(Samples.plot()))))
        .contains("Depth & <time>", "seconds", "entries", "a", "b", "0", "10", "50");
  }

  @Test
  void categories_stand_at_equal_distances() throws Exception {
    var plot =
        new Plot(
            "latency",
            "Latency",
            "share",
            "ms",
            List.of("50 %", "99 %", "all"),
            List.of(
                new Plot.Line(
                    "claim",
                    List.of(new Plot.Point(0, 1), new Plot.Point(1, 2), new Plot.Point(2, 3)))));
    Element svg = parse(Svg.of(plot));

    assertThat(texts(svg)).contains("50 %", "99 %", "all");
    assertThat(points(svg.getElementsByTagName("polyline"), 0))
        .matches("90\\.0,\\S+ 415\\.0,\\S+ 740\\.0,\\S+");
  }

  @Test
  void a_plot_of_nothing_is_still_one() throws Exception {
    var plot =
        new Plot("none", "None", "x", "y", List.of(), List.of(new Plot.Line("a", List.of())));

    assertThat(parse(Svg.of(plot)).getTagName()).isEqualTo("svg");
  }

  @Test
  void scales_end_at_round_numbers() {
    assertThat(Svg.Scale.upTo(10)).isEqualTo(new Svg.Scale(0, 10, 2));
    assertThat(Svg.Scale.upTo(61)).isEqualTo(new Svg.Scale(0, 80, 20));
    assertThat(Svg.Scale.upTo(634_000)).isEqualTo(new Svg.Scale(0, 800_000, 200_000));
    assertThat(Svg.Scale.upTo(0).high()).isPositive();
  }

  private static Element parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)))
        .getDocumentElement();
  }

  private static String points(NodeList lines, int number) {
    return ((Element) lines.item(number)).getAttribute("points");
  }

  private static List<String> texts(Element svg) {
    NodeList texts = svg.getElementsByTagName("text");
    return IntStream.range(0, texts.getLength())
        .mapToObj(i -> texts.item(i).getTextContent())
        .toList();
  }
}
