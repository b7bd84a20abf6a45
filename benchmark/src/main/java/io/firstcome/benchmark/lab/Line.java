package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.lab.strategy.Contender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The results of one strategy: medians of the speed, and the worst of the verdicts. */
final class Line {

  private static final double MEDIAN = 50;
  private static final double SLOWEST = 99;

  private final Contender contender;
  private final List<Turn.Result> turns = new ArrayList<>();
  private final List<Death.Result> processDeaths = new ArrayList<>();
  private final List<Death.Result> redisDeaths = new ArrayList<>();

  Line(Contender contender) {
    this.contender = contender;
  }

  Contender contender() {
    return contender;
  }

  void add(Turn.Result turn) {
    turns.add(turn);
  }

  void addProcessDeath(Death.Result death) {
    processDeaths.add(death);
  }

  void addRedisDeath(Death.Result death) {
    redisDeaths.add(death);
  }

  /** Answers per second, wins and refusals. */
  double perSecond() {
    return median(turn -> turn.burst().perSecond());
  }

  /** Wins per second, from the first request to the last win. */
  double winsPerSecond() {
    return median(turn -> turn.burst().winsPerSecond());
  }

  Duration winMedian() {
    return micros(turn -> turn.burst().wins().getValueAtPercentile(MEDIAN));
  }

  Duration winSlowest() {
    return micros(turn -> turn.burst().wins().getValueAtPercentile(SLOWEST));
  }

  Duration refusalMedian() {
    return micros(turn -> turn.burst().refusals().getValueAtPercentile(MEDIAN));
  }

  Duration refusalSlowest() {
    return micros(turn -> turn.burst().refusals().getValueAtPercentile(SLOWEST));
  }

  Duration durableAfter() {
    return micros(turn -> turn.durableAfter().toNanos() / 1_000);
  }

  /** Requests without an answer, in the worst round. */
  long failed() {
    return turns.stream().mapToLong(turn -> turn.burst().failed()).max().orElse(0);
  }

  Verdict undisturbed() {
    return worst(turns.stream().map(Turn.Result::verdict).toList());
  }

  Verdict afterProcessDeath() {
    return worst(processDeaths.stream().map(Death.Result::verdict).toList());
  }

  /** Empty if Redis was not killed. */
  Optional<Verdict> afterRedisDeath() {
    return redisDeaths.isEmpty()
        ? Optional.empty()
        : Optional.of(worst(redisDeaths.stream().map(Death.Result::verdict).toList()));
  }

  private static Verdict worst(List<Verdict> verdicts) {
    return verdicts.stream().reduce(Verdict.CLEAN, Verdict::worse);
  }

  private Duration micros(Function<Turn.Result, Long> figure) {
    return Duration.ofNanos(Math.round(median(turn -> (double) figure.apply(turn))) * 1_000);
  }

  /**
   * The lower one of the two middle rounds if their number is even, so that the figure was
   * measured.
   */
  private double median(Function<Turn.Result, Double> figure) {
    var sorted = turns.stream().map(figure).sorted(Comparator.naturalOrder()).toList();
    return sorted.isEmpty() ? 0 : sorted.get((sorted.size() - 1) / 2);
  }
}
