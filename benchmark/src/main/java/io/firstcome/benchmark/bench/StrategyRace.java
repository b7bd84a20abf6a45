package io.firstcome.benchmark.bench;

import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.lab.WinRate;
import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * P5 and P6: Firstcome without HTTP against strategies of the lab, behind the same interface, on
 * the same durable servers, by the same 256 callers.
 *
 * <p>Each gives away so many pieces that it would take as long as the slowest if Firstcome met its
 * goal exactly: a burst that is over in a blink says little.
 */
final class StrategyRace implements Target {

  private static final String SERVERS = "strategies";
  private static final String DATABASE = "strategies";
  private static final String FIRSTCOME_DATABASE = "strategies_firstcome";
  private static final long SEED = 1;

  private final Bench bench;
  private final Contender firstcome;
  private final List<Rival> rivals;
  private final int mostTimes;
  private @Nullable DevServices servers;
  private @Nullable WinRate winRate;

  /**
   * Whom Firstcome is held against.
   *
   * @param id of the measure
   * @param times as fast Firstcome has to be
   */
  private record Rival(String id, Contender contender, int times) {}

  private StrategyRace(Bench bench, String firstcome, Rival... rivals) {
    this.bench = bench;
    this.firstcome = contender(firstcome);
    this.rivals = List.of(rivals);
    this.mostTimes = this.rivals.stream().mapToInt(Rival::times).max().orElseThrow();
  }

  /** P5. */
  static StrategyRace inRedis(Bench bench) {
    return new StrategyRace(
        bench,
        "firstcome",
        new Rival("P5-lock", contender("row-lock"), 50),
        new Rival("P5-skip", contender("skip-locked"), 10),
        new Rival("P5-stream", contender("stream"), 4));
  }

  /** P6. */
  static StrategyRace inPostgres(Bench bench) {
    return new StrategyRace(
        bench, "firstcome-postgres", new Rival("P6", contender("row-lock"), 10));
  }

  private static Contender contender(String strategy) {
    return Contender.find(strategy).orElseThrow();
  }

  @Override
  public List<Measure> measures() {
    return rivals.stream()
        .map(rival ->
            new Measure(
                rival.id(),
                "no HTTP: %s against %s".formatted(firstcome.name(), rival.contender().name()),
                "wins/s",
                firstcome.name(),
                rival.contender().name(),
                Goal.atLeast(rival.times())))
        .toList();
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  /** The first round of each, which nobody counts, warms it up. */
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
  }

  @Override
  public List<Pair> round() throws InterruptedException {
    WinRate rate = winRate;
    if (rate == null) {
      throw new IllegalStateException("not prepared");
    }
    List<Double> references = new ArrayList<>();
    for (Rival rival : rivals) {
      references.add(rate.measure(rival.contender(), pieces(mostTimes / rival.times())));
    }
    double figure = rate.measure(firstcome, pieces(mostTimes));
    return references.stream().map(reference -> new Pair(figure, reference)).toList();
  }

  private int pieces(int times) {
    return bench.scale().racePieces() * times;
  }

  @Override
  public void close() {
    if (servers != null) {
      servers.close();
      bench.home().forget(SERVERS);
    }
  }
}
