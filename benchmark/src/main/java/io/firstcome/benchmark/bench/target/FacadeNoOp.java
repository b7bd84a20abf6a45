package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.Wrk;
import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.stack.BareService;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * P10: the cost of security, limits, filters and metrics: the no-op in the service, against a bare
 * one.
 */
public final class FacadeNoOp implements Target {

  private static final String PATH = ServiceStack.noOpPath("BENCH-NO-OP");

  /** Enough that no user reaches a limit of requests; each token is verified once. */
  private static final int USERS = 10_000;

  private final Bench bench;
  private @Nullable BareService bare;
  private List<String> tokens = List.of();

  public FacadeNoOp(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P10",
            "HTTP, no-op with security, limits, filters and metrics; against a bare one",
            "requests/s",
            "no-op of the service",
            "bare Spring MVC no-op",
            Goal.atLeast(0.8)),
        Measure.reported(
            "P10-jwt",
            "the same with tokens of %,d users in place of the gateway's secret".formatted(USERS),
            "requests/s",
            "no-op of the service",
            "bare Spring MVC no-op"));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() {
    Wrk wrk = bench.wrk();
    ServiceStack stack = bench.stack(Pipeline.WHOLE);
    BareService other = stack.startBare();
    bare = other;
    wrk.post(other.url(PATH), bench.scale().warmUp());
    tokens = stack.tokens(USERS);
    wrk.post(stack.url(PATH), bench.scale().warmUp());
    wrk.postWithTokens(stack.url(PATH), tokens, bench.scale().warmUp());
  }

  @Override
  public List<Pair> round() {
    BareService other = bare;
    if (other == null) {
      throw new IllegalStateException("not prepared");
    }
    Wrk wrk = bench.wrk();
    Duration time = bench.scale().load();
    double bareNoOps = wrk.post(other.url(PATH), time).successesPerSecond();
    String url = bench.stack(Pipeline.WHOLE).url(PATH);
    double withSecret = wrk.post(url, time).successesPerSecond();
    double withTokens = wrk.postWithTokens(url, tokens, time).successesPerSecond();
    return List.of(new Pair(withSecret, bareNoOps), new Pair(withTokens, bareNoOps));
  }

  @Override
  public void close() {
    BareService other = bare;
    bare = null;
    if (other != null) {
      other.close();
    }
  }
}
