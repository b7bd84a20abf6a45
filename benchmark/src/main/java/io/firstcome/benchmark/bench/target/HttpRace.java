package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.Wrk;
import io.firstcome.benchmark.bench.load.WrkOutput;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.BareService;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.devservices.DevServices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * P5 over HTTP, which is only reported: the complete service, against strategies of the lab in a
 * bare server, on servers of their own.
 */
public final class HttpRace implements Target {

  private static final String SERVERS = "strategies-http";

  /** More wins per second than any strategy has. */
  private static final int SLOTS_PER_SECOND = 25_000;

  private static final List<Rival> RIVALS =
      List.of(
          new Rival("P5-http-lock", contender("row-lock")),
          new Rival("P5-http-skip", contender("skip-locked")),
          new Rival("P5-http-stream", contender("stream")));

  private final Bench bench;
  private @Nullable DevServices servers;
  private @Nullable BareService bare;

  /**
   * A strategy that the service is compared with.
   *
   * @param id of the measure
   */
  private record Rival(String id, Contender contender) {}

  public HttpRace(Bench bench) {
    this.bench = bench;
  }

  private static Contender contender(String strategy) {
    return Contender.find(strategy).orElseThrow();
  }

  @Override
  public List<Measure> measures() {
    return RIVALS.stream()
        .map(rival ->
            Measure.reported(
                rival.id(),
                "HTTP, every claim wins: the service against %s in a bare server"
                    .formatted(rival.contender().name()),
                "wins/s",
                "claims accepted",
                rival.contender().name()))
        .toList();
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() {
    bench.warmStack(Pipeline.WHOLE);
    DevServices started = bench.home().servers(SERVERS);
    servers = started;
    bare = BareService.start(bench.home(), SERVERS, started);
    // Mainly to warm up the server, which the strategies share.
    RIVALS.forEach(rival -> winsPerSecond(rival, bench.scale().load()));
  }

  @Override
  public List<Pair> round() {
    Duration time = bench.scale().load();
    List<Double> references = new ArrayList<>();
    for (Rival rival : RIVALS) {
      references.add(winsPerSecond(rival, time));
    }
    ServiceStack stack = bench.stack(Pipeline.WHOLE);
    String coupon = stack.define(Bench.ENDLESS_PIECES);
    double figure =
        bench.wrk().post(stack.url(ServiceStack.claimPath(coupon)), time).successesPerSecond();
    bench.settle(Pipeline.WHOLE);
    return references.stream().map(reference -> new Pair(figure, reference)).toList();
  }

  private double winsPerSecond(Rival rival, Duration time) {
    BareService server = bare;
    if (server == null) {
      throw new IllegalStateException("not prepared");
    }
    Wrk wrk = bench.wrk();
    String strategy = rival.contender().id();
    String claims = server.open(strategy, SLOTS_PER_SECOND * Math.toIntExact(time.toSeconds()));
    WrkOutput output = wrk.post(claims, time);
    long rows = server.settle(strategy);
    if (output.refused() > 0 || rows < output.requests()) {
      throw new IllegalStateException("%s: %s, and %d rows".formatted(strategy, output, rows));
    }
    return output.successesPerSecond();
  }

  @Override
  public void close() {
    if (bare != null) {
      bare.close();
    }
    if (servers != null) {
      servers.close();
      bench.home().forget(SERVERS);
    }
  }
}
