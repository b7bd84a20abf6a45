package io.firstcome.benchmark.bench;

import io.firstcome.benchmark.bench.target.Bench;
import io.firstcome.benchmark.bench.target.CouponReads;
import io.firstcome.benchmark.bench.target.Demo;
import io.firstcome.benchmark.bench.target.FacadeNoOp;
import io.firstcome.benchmark.bench.target.FreshStart;
import io.firstcome.benchmark.bench.target.GroupCommitClaims;
import io.firstcome.benchmark.bench.target.HttpRace;
import io.firstcome.benchmark.bench.target.KeepingUp;
import io.firstcome.benchmark.bench.target.Latency;
import io.firstcome.benchmark.bench.target.ManyCoupons;
import io.firstcome.benchmark.bench.target.OpenConsoles;
import io.firstcome.benchmark.bench.target.Overload;
import io.firstcome.benchmark.bench.target.Retention;
import io.firstcome.benchmark.bench.target.RoomClaims;
import io.firstcome.benchmark.bench.target.RoomCrowd;
import io.firstcome.benchmark.bench.target.RoomJoins;
import io.firstcome.benchmark.bench.target.RoomReads;
import io.firstcome.benchmark.bench.target.RowCost;
import io.firstcome.benchmark.bench.target.SellOut;
import io.firstcome.benchmark.bench.target.ServingRate;
import io.firstcome.benchmark.bench.target.SoldOutClaims;
import io.firstcome.benchmark.bench.target.StockMemory;
import io.firstcome.benchmark.bench.target.StrategyRace;
import io.firstcome.benchmark.bench.target.Target;
import io.firstcome.benchmark.bench.target.TracedClaims;
import io.firstcome.benchmark.bench.target.WinningClaims;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/** All targets, and the selection for a run. */
public final class Targets {

  /**
   * In the order in which they run: targets that share a service are adjacent, and those that need
   * none run before or after them.
   */
  private static final List<Entry> ALL =
      List.of(
          new Entry("P1", GroupCommitClaims::new),
          new Entry("P8", StockMemory::new),
          new Entry("P8", ManyCoupons::new),
          new Entry("P5", StrategyRace::inRedis),
          new Entry("P6", StrategyRace::inPostgres),
          new Entry("P2", RowCost::new),
          new Entry("P2", WinningClaims::recorded),
          new Entry("P2-consoles", OpenConsoles::new, Time.LONG),
          new Entry("P3", SoldOutClaims::new),
          new Entry("P12", CouponReads::new),
          new Entry("P4", KeepingUp::new),
          new Entry("P4", SellOut::new),
          new Entry("P7", Latency::new),
          new Entry("P5", HttpRace::new, Time.LONG),
          new Entry("P13", Overload::new),
          new Entry("W1", RoomJoins::new, Time.LONG),
          new Entry("W3", RoomCrowd::new, Time.LONG),
          new Entry("W6", RoomClaims::new, Time.LONG),
          new Entry("W5", ServingRate::new, Time.LONG),
          new Entry("W2", RoomReads::new, Time.LONG),
          new Entry("P10", FacadeNoOp::new),
          new Entry("P11", FreshStart::new, Time.LONG),
          new Entry("P2-retention", Retention::new, Time.LONG),
          new Entry("P2-tracing", TracedClaims::new, Time.LONG),
          new Entry("P2-stopped", WinningClaims::unrecorded, Time.LONG),
          new Entry("P9", Demo::new, Time.LONG));

  /** The duration of a target at the scale of a quick run. */
  private enum Time {
    SHORT,
    LONG
  }

  private record Entry(String id, Function<Bench, Target> make, Time time) {

    Entry(String id, Function<Bench, Target> make) {
      this(id, make, Time.SHORT);
    }

    /** Whether it is named, as P2-consoles is by P2-consoles and by P2. */
    boolean isNamedBy(Collection<String> ids) {
      return ids.stream().anyMatch(named -> id.equals(named) || id.startsWith(named + "-"));
    }
  }

  private Targets() {}

  /** The ids of all targets. */
  static Collection<String> ids() {
    var ids = new TreeSet<String>(TargetOrder.BY_NUMBER);
    ALL.forEach(entry -> ids.add(entry.id()));
    return ids;
  }

  /** The chosen targets; P2 chooses also those whose id begins with P2 and a hyphen. */
  public static List<Target> of(Collection<String> ids, Bench bench) {
    return create(bench, entry -> entry.isNamedBy(ids));
  }

  /** The targets of a quick run for which no targets are named. */
  static List<Target> quick(Bench bench) {
    return create(bench, entry -> entry.time() == Time.SHORT);
  }

  /** The targets that such a quick run skips. */
  static List<Target> tooLongForQuick(Bench bench) {
    return create(bench, entry -> entry.time() == Time.LONG);
  }

  private static List<Target> create(Bench bench, Predicate<Entry> which) {
    return ALL.stream().filter(which).map(entry -> entry.make().apply(bench)).toList();
  }
}
