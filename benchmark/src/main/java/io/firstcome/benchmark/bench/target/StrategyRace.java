package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.report.Cost;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.ProcessorTimes;
import io.firstcome.benchmark.lab.WinRate;
import io.firstcome.benchmark.lab.WinRate.Rates;
import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.PostgresServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * P5 and P6: Firstcome without HTTP against strategies of the lab, behind the same interface, on
 * the same durable servers, with the same 256 callers.
 *
 * <p>The quantities are such that all take equally long if Firstcome meets its goals exactly: a
 * very short burst is not a reliable measurement.
 */
public final class StrategyRace implements Target {

  private static final String SERVERS = "strategies";
  private static final String DATABASE = "strategies";
  private static final String FIRSTCOME_DATABASE = "strategies_firstcome";
  private static final long SEED = 1;

  private final Bench bench;
  private final String id;
  private final Contender firstcome;
  private final List<Rival> rivals;
  private final int maxTimes;
  private final Map<Contender, CostMeter> costs = new LinkedHashMap<>();
  private @Nullable DevServices servers;
  private @Nullable WinRate winRate;

  /**
   * A strategy that Firstcome is compared with.
   *
   * @param id of the measure
   * @param times how many times as fast Firstcome must be
   * @param rowsLater whether a win is answered before it is a row
   */
  private record Rival(String id, Contender contender, int times, boolean rowsLater) {

    static Rival withRows(String id, String strategy, int times) {
      return new Rival(id, StrategyRace.contender(strategy), times, false);
    }

    static Rival withRowsLater(String id, String strategy, int times) {
      return new Rival(id, StrategyRace.contender(strategy), times, true);
    }

    List<Measure> measures(Contender firstcome) {
      Measure answered =
          new Measure(
              id,
              "no HTTP: %s against %s".formatted(firstcome.name(), contender.name()),
              "wins/s",
              firstcome.name(),
              contender.name(),
              Goal.atLeast(times));
      return rowsLater
          ? List.of(
              answered,
              Measure.reported(
                  id + "-rows",
                  "no HTTP: %s against %s, until the last win is a row"
                      .formatted(firstcome.name(), contender.name()),
                  "wins/s",
                  firstcome.name(),
                  contender.name()))
          : List.of(answered);
    }

    List<Pair> pairs(Rates firstcome, Rates rival) {
      Pair answered = new Pair(firstcome.answered(), rival.answered());
      return rowsLater
          ? List.of(answered, new Pair(firstcome.recorded(), rival.recorded()))
          : List.of(answered);
    }
  }

  private StrategyRace(Bench bench, String id, String firstcome, Rival... rivals) {
    this.bench = bench;
    this.id = id;
    this.firstcome = contender(firstcome);
    this.rivals = List.of(rivals);
    this.maxTimes = this.rivals.stream().mapToInt(Rival::times).max().orElseThrow();
  }

  /** P5, with the stock in Redis. */
  public static StrategyRace inRedis(Bench bench) {
    return new StrategyRace(
        bench,
        "P5",
        "firstcome",
        Rival.withRows("P5-lock", "row-lock", 50),
        Rival.withRows("P5-skip", "skip-locked", 10),
        Rival.withRowsLater("P5-stream", "stream", 4));
  }

  /** P6, with the stock in PostgreSQL. */
  public static StrategyRace inPostgres(Bench bench) {
    return new StrategyRace(
        bench, "P6", "firstcome-postgres", Rival.withRows("P6", "row-lock", 10));
  }

  private static Contender contender(String strategy) {
    return Contender.find(strategy).orElseThrow();
  }

  @Override
  public List<Measure> measures() {
    return rivals.stream().flatMap(rival -> rival.measures(firstcome).stream()).toList();
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  /** The first round warms up and is not counted. */
  @Override
  public void prepare() throws InterruptedException {
    bench.close();
    DevServices started = bench.home().servers(SERVERS);
    servers = started;
    PostgresServer postgres = started.postgres();
    bench.runsOn(started.redis());
    bench.runsOn(postgres);
    var _ = postgres.createDatabase(DATABASE);
    winRate =
        new WinRate(
            new Stores(postgres, started.redis(), started.amqp(), DATABASE, FIRSTCOME_DATABASE),
            SEED);
    var _ = round();
    costs.clear();
  }

  @Override
  public List<Pair> round() throws InterruptedException {
    List<Rates> rates = new ArrayList<>();
    for (Rival rival : rivals) {
      rates.add(measure(rival.contender(), maxTimes / rival.times()));
    }
    Rates own = measure(firstcome, maxTimes);
    return IntStream.range(0, rivals.size())
        .boxed()
        .flatMap(i -> rivals.get(i).pairs(own, rates.get(i)).stream())
        .toList();
  }

  private Rates measure(Contender contender, int times) throws InterruptedException {
    CostMeter cost =
        costs.computeIfAbsent(contender, absent -> new CostMeter(id + ": " + absent.name()));
    return Objects.requireNonNull(winRate, "not prepared")
        .measure(contender, bench.scale().raceQuantity() * times, cost.watch(this::processorTimes));
  }

  /** The callers and the strategy share this process. */
  private ProcessorTimes processorTimes() {
    DevServices started = Objects.requireNonNull(servers, "not prepared");
    return ProcessorTimes.of(ProcessHandle.current().pid(), started);
  }

  @Override
  public List<Cost> costs() {
    return costs.values().stream().map(CostMeter::median).toList();
  }

  @Override
  public void close() {
    if (servers != null) {
      servers.close();
      bench.home().forget(SERVERS);
    }
  }
}
