package io.firstcome.benchmark.bench.target;

import io.firstcome.benchmark.bench.load.WrkOutput;
import io.firstcome.benchmark.bench.report.Cost;
import io.firstcome.benchmark.bench.report.Median;
import io.firstcome.benchmark.bench.stack.ProcessorTimes;
import io.firstcome.benchmark.bench.stack.ServiceStack;
import io.firstcome.benchmark.lab.WinRate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Measures the processor time of each program for requests of one kind. */
final class CostMeter {

  private static final double NANOS_PER_MICRO = 1e3;

  private final String request;
  private final Map<String, List<Double>> microsByProgram = new LinkedHashMap<>();

  CostMeter(String request) {
    this.request = request;
  }

  /** Runs the load and adds one sample. */
  WrkOutput measure(ServiceStack stack, Supplier<WrkOutput> load) {
    ProcessorTimes before = stack.processorTimes();
    WrkOutput output = load.get();
    add(stack.processorTimes().since(before), output.requests());
    return output;
  }

  /** Adds one sample for each load; a request is a win. */
  WinRate.Watch watch(Supplier<ProcessorTimes> times) {
    return new WinRate.Watch() {

      private @Nullable ProcessorTimes before;

      @Override
      public void begins() {
        before = times.get();
      }

      @Override
      public void ends(long wins) {
        add(times.get().since(Objects.requireNonNull(before)), wins);
      }
    };
  }

  private void add(Map<String, Duration> used, long requests) {
    used.forEach((program, time) ->
        microsByProgram
            .computeIfAbsent(program, absent -> new ArrayList<>())
            .add(time.toNanos() / NANOS_PER_MICRO / requests));
  }

  /** The latest sample of a program, in microseconds. */
  double latest(String program) {
    return Objects.requireNonNull(microsByProgram.get(program), program).getLast();
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
