package io.firstcome.benchmark.bench;

import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/** All targets there are, and which of them a run measures. */
final class Targets {

  /**
   * In the order in which they run: those that share a service follow each other, and those that
   * need none come before or after it.
   */
  private static final List<Entry> ALL =
      List.of(
          new Entry("P1", GroupCommitClaims::new),
          new Entry("P8", StockMemory::new),
          new Entry("P8", ManyCoupons::new),
          new Entry("P5", StrategyRace::inRedis),
          new Entry("P6", StrategyRace::inPostgres),
          new Entry("P2", bench -> new WinningClaims(bench, Pipeline.WHOLE)),
          new Entry("P3", SoldOutClaims::new),
          new Entry("P4", KeepingUp::new),
          new Entry("P4", SellOut::new),
          new Entry("P7", Latency::new),
          new Entry("P5", HttpRace::new, Time.LONG),
          new Entry("P10", FacadeNoOp::new),
          new Entry("P2", bench -> new WinningClaims(bench, Pipeline.STOPPED), Time.LONG),
          new Entry("P9", Demo::new, Time.LONG));

  /** What it takes at the scale of a quick run. */
  private enum Time {
    SHORT,
    LONG
  }

  private record Entry(String id, Function<Bench, Target> make, Time time) {

    Entry(String id, Function<Bench, Target> make) {
      this(id, make, Time.SHORT);
    }
  }

  private Targets() {}

  /** The targets of the design that can be chosen. */
  static Collection<String> ids() {
    var ids = new TreeSet<String>(TargetOrder.BY_NUMBER);
    ALL.forEach(entry -> ids.add(entry.id()));
    return ids;
  }

  /** All parts of the chosen targets. */
  static List<Target> of(Collection<String> ids, Bench bench) {
    return made(bench, entry -> ids.contains(entry.id()));
  }

  /** What a quick run measures where nothing is chosen. */
  static List<Target> quick(Bench bench) {
    return made(bench, entry -> entry.time() == Time.SHORT);
  }

  /** What it leaves out. */
  static List<Target> tooLongForQuick(Bench bench) {
    return made(bench, entry -> entry.time() == Time.LONG);
  }

  private static List<Target> made(Bench bench, Predicate<Entry> which) {
    return ALL.stream().filter(which).map(entry -> entry.make().apply(bench)).toList();
  }
}
