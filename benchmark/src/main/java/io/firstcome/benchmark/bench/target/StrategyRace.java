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

  /** The rival that is also compared by its time in Redis. */
  private static final String STREAM = "P5-stream";

  private static final double REDIS_GOAL = 3;

  private final Bench bench;
  private final String id;
  private final Contender firstcome;
  private final List<Rival> rivals;
  private final int quantity;
  private final Map<Contender, CostMeter> costs = new LinkedHashMap<>();
  private @Nullable DevServices servers;
  private @Nullable WinRate winRate;

  /**
   * A strategy that Firstcome is compared with.
   *
   * @param id of the measure
   * @param times how many times as fast Firstcome must be, until the last win is a row
   * @param rowsLater whether a win is answered before it is a row
   */
  private record Rival(String id, Contender contender, double times, boolean rowsLater) {

    static Rival withRows(String id, String strategy, double times) {
      return new Rival(id, StrategyRace.contender(strategy), times, false);
    }

    static Rival withRowsLater(String id, Contender contender, double times) {
      return new Rival(id, contender, times, true);
    }

    List<Measure> measures(Contender firstcome) {
      return rowsLater
          ? List.of(
              measure(firstcome, id, "", null),
              measure(
                  firstcome, id + "-rows", ", until the last win is a row", Goal.atLeast(times)))
          : List.of(measure(firstcome, id, "", Goal.atLeast(times)));
    }

    private Measure measure(Contender firstcome, String ofId, String until, @Nullable Goal goal) {
      return new Measure(
          ofId,
          "no HTTP: %s against %s%s".formatted(firstcome.name(), contender.name(), until),
          "wins/s",
          firstcome.name(),
          contender.name(),
          goal);
    }

    List<Pair> pairs(Rates firstcome, Rates rival) {
      Pair answered = new Pair(firstcome.answered(), rival.answered());
      return rowsLater
          ? List.of(answered, new Pair(firstcome.recorded(), rival.recorded()))
          : List.of(answered);
    }

    /** As many slots as it allocates while Firstcome allocates its own, if it meets the goal. */
    int quantity(int ofFirstcome) {
      return (int) Math.round(ofFirstcome / times);
    }
  }

  private StrategyRace(Bench bench, String id, String firstcome, Rival... rivals) {
    this.bench = bench;
    this.id = id;
    this.firstcome = contender(firstcome);
    this.rivals = List.of(rivals);
    double most = this.rivals.stream().mapToDouble(Rival::times).max().orElseThrow();
    this.quantity = (int) Math.round(bench.scale().raceQuantity() * most);
  }

  /** P5, with the stock in Redis. */
  public static StrategyRace inRedis(Bench bench) {
    return new StrategyRace(
        bench,
        "P5",
        "firstcome",
        Rival.withRows("P5-lock", "row-lock", 35),
        Rival.withRows("P5-skip", "skip-locked", 7),
        Rival.withRowsLater(STREAM, contender("stream"), 1),
        Rival.withRowsLater("P5-stream-same", Contender.streamToServiceRows(), 1.3));
  }

  /** P6, with the stock in PostgreSQL. */
  public static StrategyRace inPostgres(Bench bench) {
    return new StrategyRace(
        bench, "P6", "firstcome-postgres", Rival.withRows("P6", "row-lock", 18));
  }

  private static Contender contender(String strategy) {
    return Contender.find(strategy).orElseThrow();
  }

  @Override
  public List<Measure> measures() {
    List<Measure> measures = new ArrayList<>();
    for (Rival rival : rivals) {
      measures.addAll(rival.measures(firstcome));
      if (rival.id().equals(STREAM)) {
        measures.add(
            new Measure(
                "P5-redis",
                "processor time of Redis for a win: %s against %s"
                    .formatted(rival.contender().name(), firstcome.name()),
                "microseconds",
                rival.contender().name(),
                firstcome.name(),
                Goal.atLeast(REDIS_GOAL)));
      }
    }
    return measures;
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
      rates.add(measure(rival.contender(), rival.quantity(quantity)));
    }
    Rates own = measure(firstcome, quantity);
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < rivals.size(); i++) {
      Rival rival = rivals.get(i);
      pairs.addAll(rival.pairs(own, rates.get(i)));
      if (rival.id().equals(STREAM)) {
        pairs.add(new Pair(redisMicros(rival.contender()), redisMicros(firstcome)));
      }
    }
    return pairs;
  }

  private double redisMicros(Contender contender) {
    return Objects.requireNonNull(costs.get(contender)).latest(ProcessorTimes.REDIS);
  }

  private Rates measure(Contender contender, int slots) throws InterruptedException {
    CostMeter cost =
        costs.computeIfAbsent(contender, absent -> new CostMeter(id + ": " + absent.name()));
    return Objects.requireNonNull(winRate, "not prepared")
        .measure(contender, slots, cost.watch(this::processorTimes));
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
