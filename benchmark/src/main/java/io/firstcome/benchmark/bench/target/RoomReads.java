package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.Wrk;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.time.Duration;
import java.util.List;

/**
 * W2: reads of the document of a waiting room, against the no-op in the same server; and the calls
 * to Redis that an instance makes for the room, whatever the load.
 */
public final class RoomReads implements Target {

  private static final String ROOM = "{\"admissionsPerSecond\":100}";
  private static final double CALLS_MAX = 2;

  private final Bench bench;
  private String coupon = "";

  public RoomReads(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "W2",
            "HTTP, reads of the document of a waiting room",
            "requests/s",
            "reads",
            "no-op",
            Goal.atLeast(0.9)),
        new Measure(
            "W2-calls",
            "calls to Redis for a waiting room, while its document is read",
            "calls/s",
            "calls",
            "limit",
            Goal.atMost(1)));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() {
    ServiceStack stack = bench.warmStack(Pipeline.WHOLE);
    coupon = stack.defineWithRoom(Bench.ENDLESS_PIECES, ROOM);
    bench.wrk().get(stack.url(ServiceStack.roomPath(coupon)), bench.scale().warmUp());
  }

  @Override
  public List<Pair> round() {
    Wrk wrk = bench.wrk();
    ServiceStack stack = bench.stack(Pipeline.WHOLE);
    Duration time = bench.scale().load();
    double noOps = wrk.post(stack.url(ServiceStack.noOpPath(coupon)), time).successesPerSecond();
    try (var monitored = stack.roomCalls(coupon)) {
      long from = System.nanoTime();
      double reads = wrk.get(stack.url(ServiceStack.roomPath(coupon)), time).successesPerSecond();
      double calls = monitored.calls() * 1e9 / (System.nanoTime() - from);
      return List.of(new Pair(reads, noOps), new Pair(calls, CALLS_MAX));
    }
  }
}
