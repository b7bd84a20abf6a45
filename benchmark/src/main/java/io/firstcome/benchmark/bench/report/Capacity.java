package io.firstcome.benchmark.bench.report;

import io.firstcome.adapter.redis.RedisLimits;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a million claims a second would need, from what single ones took in a run.
 *
 * <p>It is a model: every part is taken to grow in proportion. A microsecond of a processor for
 * each claim is then a processor at a million claims a second, so one number says both.
 */
final class Capacity {

  private static final double MILLION = 1e6;

  private static final String WINNING = "P2-stopped: claim";
  private static final String RECORDED = "P2: claim";
  private static final String SOLD_OUT = "P3: sold out";
  private static final String STOCK = "P1";
  private static final String MEMORY = "P8";

  private static final String SERVICE = "service";
  private static final String REDIS = "Redis";

  private final Report report;

  private Capacity(Report report) {
    this.report = report;
  }

  /**
   * A part of the work.
   *
   * @param source what was measured for it
   */
  private record Part(String program, String work, double micros, String source) {

    String row() {
      return "| %s | %s | %s | %s |\n".formatted(program, work, Figures.text(micros), source);
    }
  }

  /** A section of the document, or nothing if the run did not measure all that it takes. */
  static String section(Report report) {
    var measured =
        Stream.concat(
                report.results().stream().map(result -> result.measure().id()),
                report.costs().stream().map(Cost::request))
            .collect(Collectors.toSet());
    return measured.containsAll(List.of(STOCK, MEMORY, WINNING, RECORDED, SOLD_OUT))
        ? new Capacity(report).section()
        : "";
  }

  private String section() {
    RedisLimits limits = RedisLimits.defaults();
    double thread = MILLION / figure(STOCK);
    double winning = micros(WINNING, SERVICE);
    var claim =
        List.of(
            part(SERVICE, "a claim that wins: HTTP, limits, group commit", WINNING),
            new Part(REDIS, "the same, its one thread, in groups of hundreds", thread, STOCK));
    var soldOut =
        List.of(
            part(SERVICE, "a claim after sell-out", SOLD_OUT),
            part(REDIS, "the same, in groups as they are here", SOLD_OUT));
    double carrying = Math.max(0, micros(RECORDED, SERVICE) - winning);
    var row =
        List.of(
            new Part(
                SERVICE, "a row: relay, recorder, events", carrying, RECORDED + " less " + WINNING),
            part("broker", "the same, its messages", RECORDED),
            part("PostgreSQL", "the same, its indexes and its event", RECORDED));
    return """

    What a million claims a second would need, by the figures above. This is a model: a microsecond of processor
    time for each is taken to be a processor at a million a second.

    | program | what for | µs each, or processors | from |
    |---|---|---|---|
    %s
    - **Winning.** One thread of one Redis keeps a coupon's order, and serves all coupons of a deployment: %s
      winners a second, for whom the service needs %s processors. A million winners are told in %s s, and in one second
      only by as many deployments, among which the coupons are shared out.
    - **After sell-out.** One thread of Redis answers %s claims a second, and the service needs %s processors for a
      million.
    - **Rows** may come later: a partition's log takes %s groups of up to %s claims before anybody is refused. A
      million rows are %s s of processor time, %s s of it in PostgreSQL.
    - **Memory.** A million users who have the coupon take %s MB in Redis once they have their rows.
    - **Not in the model**: networks and balancers, disks that are slower than this one's, more than one processor's worth
      of recorders at the end of the same indexes, and that other processors are faster or slower.
    """
        .formatted(
            Stream.of(claim, soldOut, row)
                .flatMap(Collection::stream)
                .map(Part::row)
                .collect(Collectors.joining()),
            Figures.text(MILLION / thread),
            Figures.text(winning / thread),
            Figures.text(thread),
            Figures.text(MILLION / soldOut.getLast().micros()),
            Figures.text(soldOut.getFirst().micros()),
            Figures.text(limits.logCap()),
            limits.claimsPerCall(),
            Figures.text(row.stream().mapToDouble(Part::micros).sum()),
            Figures.text(row.getLast().micros()),
            Figures.text(figure(MEMORY)));
  }

  private Part part(String program, String work, String request) {
    return new Part(program, work, micros(request, program), request);
  }

  private double figure(String id) {
    return report.results().stream()
        .filter(result -> result.measure().id().equals(id))
        .findFirst()
        .orElseThrow()
        .figure();
  }

  private double micros(String request, String program) {
    return report.costs().stream()
        .filter(cost -> cost.request().equals(request))
        .flatMap(cost -> cost.parts().stream())
        .filter(part -> part.program().equals(program))
        .findFirst()
        .orElseThrow()
        .micros();
  }
}
