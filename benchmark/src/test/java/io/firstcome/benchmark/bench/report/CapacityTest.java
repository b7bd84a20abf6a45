package io.firstcome.benchmark.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CapacityTest {

  private static final List<Result> FIGURES = List.of(figure("P1", 250_000), figure("P8", 96.4));

  private static final List<Cost> COSTS =
      List.of(
          cost("P2: claim", 50, 30, 9, 6),
          cost("P2-stopped: claim", 38, 0.2, 8, 0.1),
          cost("P3: sold out", 32, 0.1, 2, 0.1));

  private static Result figure(String id, double figure) {
    return new Result(
        new Measure(id, "what", "unit", "figure", "reference", null), List.of(new Pair(figure, 1)));
  }

  private static Cost cost(
      String request, double service, double postgres, double redis, double broker) {
    return new Cost(
        request,
        List.of(
            new Cost.Part("service", service),
            new Cost.Part("PostgreSQL", postgres),
            new Cost.Part("Redis", redis),
            new Cost.Part("broker", broker)));
  }

  private static String section(List<Result> results, List<Cost> costs) {
    Report any = Samples.report();
    return Capacity.section(
        new Report(
            any.startedAt(),
            any.scale(),
            true,
            any.machine(),
            results,
            Map.of(),
            costs,
            List.of(),
            List.of()));
  }

  @Test
  void each_part_is_as_many_processors_as_it_takes_microseconds() {
    assertThat(section(FIGURES, COSTS))
        .contains(
            "| service | a claim that wins: HTTP, limits, group commit | 38.0"
                + " | P2-stopped: claim |\n",
            "| Redis | a claim that wins: its one thread, groups of hundreds | 4.000 | P1 |\n",
            "| Redis | a claim after sell-out, groups as in this run | 2.000 | P3: sold out |\n",
            "| service | a row: relay, recorder, events | 12.0"
                + " | P2: claim minus P2-stopped: claim |\n",
            "| broker | a row: its messages | 6.000 | P2: claim |\n",
            "| PostgreSQL | a row: its indexes and its event | 30.0 | P2: claim |\n\n"
                + "- **Winning.**");
  }

  @Test
  void a_thread_of_redis_bounds_the_rate_of_winners_and_of_refusals() {
    assertThat(section(FIGURES, COSTS).replaceAll("\\s+", " "))
        .contains(
            "250,000 wins per second, for which the service needs 9.500 processors",
            "A million wins take 4.000 s",
            "answers 500,000 claims per second, and the service needs 32.0 processors",
            "holds 10,000 groups of up to 512 claims",
            "A million rows take 48.0 s of processor time, 30.0 s of it in PostgreSQL",
            "take 96.4 MB in Redis");
  }

  @Test
  void a_run_that_lacks_a_figure_has_no_model() {
    for (Result without : FIGURES) {
      var some = new ArrayList<>(FIGURES);
      some.remove(without);
      assertThat(section(some, COSTS)).isEmpty();
    }
    for (Cost without : COSTS) {
      var some = new ArrayList<>(COSTS);
      some.remove(without);
      assertThat(section(FIGURES, some)).isEmpty();
    }
  }
}
