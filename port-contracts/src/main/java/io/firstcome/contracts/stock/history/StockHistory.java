package io.firstcome.contracts.stock.history;

import io.firstcome.contracts.stock.HandoffStockUnderTest;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.StockAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One random history, played on two backends. Each call must have the same reply and the same
 * visible effect on both; hidden state is queried at the end. So a failed history ends with the
 * first step in which the backends differ.
 */
final class StockHistory {

  private static final List<Partition> PARTITIONS = Partition.all(3);

  private final long seed;
  private final Side reference;
  private final Side tested;
  private final HistoryMaker maker;
  private final Witness witness;
  private final Map<Partition, PartitionView> views = new TreeMap<>();
  private final List<String> steps = new ArrayList<>();

  StockHistory(
      long seed,
      HandoffStockUnderTest reference,
      HandoffStockUnderTest tested,
      Consumer<Event> happened) {
    this.seed = seed;
    this.reference = new Side(reference);
    this.tested = new Side(tested);
    maker = new HistoryMaker(seed, PARTITIONS);
    witness = new Witness(happened);
  }

  /**
   * Plays the history.
   *
   * @throws AssertionError if the backends differ, with the seed and all steps up to there
   */
  void play() {
    try {
      observeAll();
      int length = maker.length();
      for (int i = 0; i < length; i++) {
        var step = maker.next(views);
        if (play(step) instanceof PortReply.Given) {
          observeAfter(step);
        }
      }
      maker.opening().forEach(this::play);
      observeAll();
      maker.questions(views).forEach(this::play);
      observeAll();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed %d (-Dfirstcome.differential.seed=%d makes the same history again)%n%s%n%s"
              .formatted(seed, seed, String.join(System.lineSeparator(), steps), e.getMessage()),
          e);
    }
  }

  List<String> trace() {
    return steps;
  }

  private PortReply<Object> play(Step step) {
    int number = steps.size() + 1;
    steps.add("%3d  %s".formatted(number, step));
    PortReply<Object> expected = PortReply.of(() -> step.on(reference));
    steps.set(number - 1, steps.getLast() + " -> " + expected);
    compare("answer", expected, PortReply.of(() -> step.on(tested)));
    witness.saw(step, expected, views);
    return expected;
  }

  /**
   * Compares what the step should have changed at most. Other changes, and changes by refused
   * steps, are detected at the end.
   */
  private void observeAfter(Step step) {
    switch (step) {
      case Step.Claims claims -> {
        observeCoupon(claims);
        observeLog(claims.coupon().partition());
      }
      case Step.OfCoupon call -> observeCoupon(call);
      case Step.Recorded recorded -> observeLog(recorded.partition());
      case Step.Begin begin -> observe(begin.partition());
      case Step.Open open -> observe(open.partition());
      case Step.Restart _, Step.Wipe _ -> observeAll();
      case Step.ReadNew _, Step.ReadStale _ -> {}
    }
  }

  private void observeAll() {
    PARTITIONS.forEach(this::observe);
  }

  private void observe(Partition partition) {
    var coupons = maker.couponsOf(partition);
    views.put(partition, same("partition", side -> side.look(partition, coupons)));
  }

  private void observeCoupon(Step.OfCoupon step) {
    var couponId = step.coupon().couponId();
    views.computeIfPresent(
        step.coupon().partition(),
        (partition, view) -> {
          var address = new StockAddress(couponId, partition, view.fence().epoch());
          return view.with(couponId, same("coupon", side -> side.look(address)));
        });
  }

  private void observeLog(Partition of) {
    views.computeIfPresent(
        of, (partition, view) -> view.with(same("log", side -> side.observeLog(partition))));
  }

  private <T> T same(String what, Function<Side, T> look) {
    var expected = look.apply(reference);
    compare(what, expected, look.apply(tested));
    return expected;
  }

  private static void compare(String what, Object expected, Object was) {
    if (!was.equals(expected)) {
      throw new AssertionError(
          "%s%n  reference: %s%n  tested:    %s".formatted(what, expected, was));
    }
  }
}
