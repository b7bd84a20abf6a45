package io.firstcome.benchmark.bench;

import io.firstcome.benchmark.bench.load.WrkOutput;
import io.firstcome.benchmark.bench.report.Cost;
import io.firstcome.benchmark.bench.report.Median;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Finds out which program needs how much processor time for requests of one kind. */
final class CostMeter {

  private static final double NANOS_PER_MICRO = 1e3;

  private final String request;
  private final Map<String, List<Double>> microsByProgram = new LinkedHashMap<>();

  CostMeter(String request) {
    this.request = request;
  }

  /** Runs the load, of which it takes one sample. */
  WrkOutput measure(ServiceStack stack, Supplier<WrkOutput> load) {
    var before = stack.processorTimes();
    WrkOutput output = load.get();
    Map<String, Duration> used = stack.processorTimes().since(before);
    used.forEach((program, time) ->
        microsByProgram
            .computeIfAbsent(program, absent -> new ArrayList<>())
            .add(time.toNanos() / NANOS_PER_MICRO / output.requests()));
    return output;
  }

  /** The medians of the samples. */
  Cost median() {
    List<Cost.Part> parts = new ArrayList<>();
    microsByProgram.forEach((program, samples) ->
        parts.add(
            new Cost.Part(
                program, Median.of(samples.stream().mapToDouble(Double::doubleValue).toArray()))));
    return new Cost(request, parts);
  }
}
