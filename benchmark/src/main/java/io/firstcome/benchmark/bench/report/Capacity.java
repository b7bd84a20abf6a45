package io.firstcome.benchmark.bench.report;

import io.firstcome.adapter.redis.RedisLimits;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A model of what a million claims per second would need, from the processor time per claim in a
 * run.
 *
 * <p>It assumes that every part grows in proportion. A microsecond of processor time per claim is
 * then a processor at a million claims per second, so one number is both.
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
   * @param source the measurement behind it
   */
  private record Part(String program, String work, double micros, String source) {

    String row() {
      return "| %s | %s | %s | %s |\n".formatted(program, work, Figures.text(micros), source);
    }
  }

  /** The section of the document, or empty if the run did not measure all that the model needs. */
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
            new Part(
                REDIS, "a claim that wins: its one thread, groups of hundreds", thread, STOCK));
    var soldOut =
        List.of(
            part(SERVICE, "a claim after sell-out", SOLD_OUT),
            part(REDIS, "a claim after sell-out, groups as in this run", SOLD_OUT));
    double recording = Math.max(0, micros(RECORDED, SERVICE) - winning);
    var row =
        List.of(
            new Part(
                SERVICE,
                "a row: relay, recorder, events",
                recording,
                RECORDED + " minus " + WINNING),
            part("broker", "a row: its messages", RECORDED),
            part("PostgreSQL", "a row: its indexes and its event", RECORDED));
    return """

    What a million claims per second would need, by the figures above. This is a model: a
    microsecond of processor time per claim or row counts as a processor at a million per second.

    | program | work | µs per claim or row, or processors | from |
    |---|---|---|---|
    %s
    - **Winning.** One thread of one Redis decides the order of a coupon, and serves all coupons of
      a deployment: %s wins per second, for which the service needs %s processors. A million wins
      take %s s, or one second with as many deployments, among which the coupons are divided.
    - **After sell-out.** One thread of Redis answers %s claims per second, and the service needs
      %s processors for a million.
    - **Rows** may be written later: the log of a partition holds %s groups of up to %s claims
      before claims are refused. A million rows take %s s of processor time, %s s of it in
      PostgreSQL.
    - **Memory.** A million users who have the coupon take %s MB in Redis after their rows are
      written.
    - **Not in the model**: networks and load balancers, slower disks, recorders that need more than
      one processor at the end of the same indexes, and faster or slower processors.
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
