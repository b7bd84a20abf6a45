package io.firstcome.application.claim;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.LimitsForTests;
import io.firstcome.application.StockStub;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Order and limits of claim calls; every claim is answered, whatever the backend does. */
@Timeout(60)
class GroupCommitTest {

  private static final int WORTH_A_CALL = LimitsForTests.CLAIMS_WORTH_A_CALL;
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(100);

  private final Coupon coupon = aCoupon().build();
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    executor.shutdownNow();
  }

  static List<Long> seeds() {
    long first = Long.getLong("seed", System.nanoTime());
    return IntStream.range(0, 20).mapToObj(i -> first + i).toList();
  }

  @Test
  void a_claim_of_an_idle_coupon_is_sent_immediately_and_alone() {
    var stock = new StockStub(4, 100);

    assertThat(outcome(groupCommit(stock).claim(coupon, user(1)))).isEqualTo(accepted(1));
    assertThat(stock.callSizes()).containsExactly(1);
  }

  @Test
  void claims_that_arrive_during_a_call_are_sent_together_in_order_of_arrival() {
    var stock = new StockStub(1, 100);
    var calls = new ConcurrentLinkedQueue<StockStub.Call>();
    stock.behave(call -> held(calls, call));
    var groupCommit = groupCommit(stock);
    var first = groupCommit.claim(coupon, user(1));
    await(() -> calls.size() == 1);

    var others = IntStream.range(2, 50).mapToObj(i -> groupCommit.claim(coupon, user(i))).toList();
    calls.remove().reply();
    await(() -> calls.size() == 1);
    calls.remove().reply();

    assertThat(outcome(first)).isEqualTo(accepted(1));
    for (int i = 0; i < others.size(); i++) {
      assertThat(outcome(others.get(i))).isEqualTo(accepted(i + 2));
    }
    assertThat(stock.callSizes()).containsExactly(1, 48);
  }

  @Test
  void a_second_call_is_sent_concurrently_once_enough_claims_wait() {
    var stock = new StockStub(2, 100);
    var calls = new ConcurrentLinkedQueue<StockStub.Call>();
    stock.behave(call -> held(calls, call));
    var groupCommit = groupCommit(stock);
    groupCommit.claim(coupon, user(0));
    await(() -> calls.size() == 1);

    IntStream.range(1, WORTH_A_CALL).forEach(i -> groupCommit.claim(coupon, user(i)));
    assertThat(calls).hasSize(1);
    groupCommit.claim(coupon, user(WORTH_A_CALL));
    await(() -> calls.size() == 2);

    assertThat(stock.callSizes()).containsExactly(1, WORTH_A_CALL);
  }

  @Test
  void claims_of_calls_that_must_be_repeated_keep_their_place_before_later_claims() {
    var stock = new StockStub(2, 100);
    var calls = new ConcurrentLinkedQueue<StockStub.Call>();
    stock.behave(call -> held(calls, call));
    var groupCommit = groupCommit(stock);
    var all = new ArrayList<CompletionStage<ClaimOutcome>>();
    all.add(groupCommit.claim(coupon, user(0)));
    await(() -> calls.size() == 1);
    IntStream.rangeClosed(1, WORTH_A_CALL)
        .forEach(i -> all.add(groupCommit.claim(coupon, user(i))));
    await(() -> calls.size() == 2);
    IntStream.rangeClosed(1 + WORTH_A_CALL, 2 * WORTH_A_CALL)
        .forEach(i -> all.add(groupCommit.claim(coupon, user(i))));
    var first = calls.remove();
    var second = calls.remove();

    repeat(second);
    assertThat(calls).as("calls while one is in flight").isEmpty();
    repeat(first);
    await(() -> calls.size() == 1);
    calls.remove().reply();

    assertThat(stock.callSizes()).containsExactly(1, WORTH_A_CALL, 1 + 2 * WORTH_A_CALL);
    assertThat(stock.arrived().subList(1 + WORTH_A_CALL, 2 + 3 * WORTH_A_CALL))
        .isEqualTo(IntStream.rangeClosed(0, 2 * WORTH_A_CALL).mapToObj(i -> user(i)).toList());
    assertThat(stock.withPseudonyms().subList(0, 1 + WORTH_A_CALL)).containsOnly(false);
    assertThat(stock.withPseudonyms().subList(1 + WORTH_A_CALL, 2 + 3 * WORTH_A_CALL))
        .containsOnly(true);
    all.forEach(claim -> assertThat(outcome(claim)).isInstanceOf(ClaimOutcome.Accepted.class));
  }

  private static void repeat(StockStub.Call call) {
    call.answer()
        .complete(
            Collections.<ClaimOutcome>nCopies(call.outcomes().size(), new ClaimOutcome.Repeat()));
  }

  /** Otherwise later claims would wait for a sender that no longer exists. */
  @Test
  void an_error_of_a_call_does_not_block_later_claims() {
    var stock = new StockStub(4, 100);
    stock.behave(call -> {
      throw new NoClassDefFoundError("of a deleted jar");
    });
    var groupCommit = groupCommit(stock);
    assertUnknown(groupCommit.claim(coupon, user(1)));

    stock.behave(call -> {
      call.reply();
      return call.answer();
    });

    assertThat(outcome(groupCommit.claim(coupon, user(2)))).isEqualTo(accepted(2));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void slots_follow_the_order_of_arrival_within_all_limits(long seed) {
    var random = random(seed);
    var stock = new StockStub(1 + random.nextInt(4), 1 + random.nextInt(40));
    stock.behave(call -> laterIn(random.nextInt(300), call));
    var groupCommit = groupCommit(stock);
    var answers = new ArrayList<CompletionStage<ClaimOutcome>>();
    int claims = 2_000;
    for (int i = 1; i <= claims; i++) {
      answers.add(groupCommit.claim(coupon, user(i)));
      if (random.nextInt(20) == 0) {
        LockSupport.parkNanos(random.nextInt(50_000));
      }
    }
    for (int i = 1; i <= claims; i++) {
      assertThat(outcome(answers.get(i - 1))).as("seed %d", seed).isEqualTo(accepted(i));
    }
    assertThat(stock.arrived())
        .as("seed %d", seed)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, claims).mapToObj(GroupCommitTest::user).toList());
    assertThat(Collections.max(stock.callSizes())).isLessThanOrEqualTo(stock.maxClaimsPerCall());
    assertThat(stock.mostInFlight()).isLessThanOrEqualTo(stock.maxCallsInFlight());
  }

  /** Many threads send the next claim as soon as one is answered: a lost wake-up would hang. */
  @ParameterizedTest
  @MethodSource("seeds")
  void no_wake_up_is_lost(long seed) throws Exception {
    var stock = new StockStub(2, 7);
    var random = random(seed);
    stock.behave(call -> {
      if (random.nextBoolean()) {
        call.reply();
        return call.answer();
      }
      return laterIn(random.nextInt(50), call);
    });
    var groupCommit = groupCommit(stock);
    var threads = new ArrayList<CompletableFuture<Void>>();
    for (int t = 0; t < 40; t++) {
      int thread = t;
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 50; i++) {
                  outcome(groupCommit.claim(coupon, user(thread * 50 + i)));
                }
              },
              executor));
    }
    CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);

    assertThat(stock.arrived()).as("seed %d", seed).hasSize(2_000).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void every_claim_is_answered_although_the_backend_throws_fails_hangs_or_miscounts(long seed) {
    var random = random(seed);
    var stock = new StockStub(3, 10);
    stock.behave(call -> faultyReply(random, call));
    var groupCommit = groupCommitWithShortTimeout(stock);
    var answers =
        IntStream.range(0, 200).mapToObj(i -> groupCommit.claim(coupon, user(i))).toList();

    int failed = 0;
    for (var answer : answers) {
      failed += answered(answer) instanceof StockUnavailableException ? 1 : 0;
    }
    assertThat(failed).as("seed %d", seed).isPositive();

    stock.behave(call -> {
      call.reply();
      return call.answer();
    });
    assertThat(outcome(groupCommit.claim(coupon, user(1_000))))
        .isInstanceOf(ClaimOutcome.Accepted.class);
  }

  private CompletionStage<List<ClaimOutcome>> faultyReply(
      RandomGenerator random, StockStub.Call call) {
    return switch (random.nextInt(6)) {
      case 0 -> throw new IllegalStateException("the backend threw");
      case 1 -> CompletableFuture.failedStage(new IllegalStateException("the backend failed"));
      case 2 -> new CompletableFuture<>();
      case 3 -> CompletableFuture.completedStage(List.of());
      case 4 -> {
        Thread.currentThread().interrupt();
        yield laterIn(10, call);
      }
      default -> laterIn(random.nextInt(50), call);
    };
  }

  @Test
  void a_known_failure_reaches_the_caller_and_any_other_failure_is_unknown() {
    var stock = new StockStub(1, 10);
    var groupCommit = groupCommitWithShortTimeout(stock);

    stock.behave(call -> CompletableFuture.failedStage(new StockFencedException("fenced")));
    assertThat(answered(groupCommit.claim(coupon, user(1))))
        .isInstanceOf(StockFencedException.class);

    stock.behave(call -> CompletableFuture.failedStage(new IllegalStateException("a bug")));
    assertUnknown(groupCommit.claim(coupon, user(2)));

    stock.behave(call -> new CompletableFuture<>());
    assertUnknown(groupCommit.claim(coupon, user(3)));

    stock.behave(call -> CompletableFuture.completedStage(List.of()));
    assertUnknown(groupCommit.claim(coupon, user(4)));
  }

  @Test
  void claims_above_the_waiting_limit_are_busy_immediately_and_waiting_claims_are_answered() {
    var stock = new StockStub(1, 10_000);
    var calls = new ConcurrentLinkedQueue<StockStub.Call>();
    stock.behave(call -> held(calls, call));
    var groupCommit = groupCommit(stock);
    groupCommit.claim(coupon, user(0));
    await(() -> calls.size() == 1);
    var waiting =
        IntStream.rangeClosed(1, limits().waitingPerCoupon())
            .mapToObj(i -> groupCommit.claim(coupon, user(i)))
            .toList();

    var refused = groupCommit.claim(coupon, user(10_000)).toCompletableFuture();

    assertThat(refused).isCompletedWithValue(new ClaimOutcome.Busy());
    calls.remove().reply();
    await(() -> calls.size() == 1);
    calls.remove().reply();
    assertThat(waiting)
        .allSatisfy(w -> assertThat(outcome(w)).isInstanceOf(ClaimOutcome.Accepted.class));
  }

  @Test
  void a_claim_that_waited_too_long_is_busy_and_never_sent() {
    var stock = new StockStub(1, 100);
    stock.behave(call -> new CompletableFuture<>());
    var limits = LimitsForTests.claims(Duration.ofMillis(20), SHORT, 100);
    var groupCommit = groupCommit(stock, limits);
    groupCommit.claim(coupon, user(1));
    await(() -> stock.arrived().size() == 1);

    assertThat(outcome(groupCommit.claim(coupon, user(2)))).isEqualTo(new ClaimOutcome.Busy());
    assertThat(stock.arrived()).containsExactly(user(1));
  }

  @Test
  void at_shutdown_claims_are_busy() {
    var stock = new StockStub(1, 100);
    var groupCommit =
        new GroupCommit(
            _ -> stock,
            new KnownEpochs(),
            CouponFixtures.codeKeys(),
            limits(),
            task -> {
              throw new RejectedExecutionException("shut down");
            },
            IssuanceObserver.silent());

    assertThat(outcome(groupCommit.claim(coupon, user(1)))).isEqualTo(new ClaimOutcome.Busy());
  }

  @Test
  void coupons_do_not_wait_for_each_other() {
    var stock = new StockStub(1, 100);
    var calls = new ConcurrentLinkedQueue<StockStub.Call>();
    stock.behave(call -> held(calls, call));
    var groupCommit = groupCommit(stock);
    groupCommit.claim(coupon, user(1));
    groupCommit.claim(aCoupon().withId("OTHER").build(), user(2));

    await(() -> calls.size() == 2);
  }

  @Test
  void idle_coupons_keep_no_lane_above_the_limit() {
    var groupCommit = groupCommit(new StockStub(4, 100));

    for (int i = 0; i < 50; i++) {
      outcome(groupCommit.claim(aCoupon().withId("C" + i).build(), user(i)));
    }

    // The sender of the last claims may still be running.
    await(() -> {
      outcome(groupCommit.claim(aCoupon().withId("LAST").build(), user(50)));
      return groupCommit.lanes() <= limits().lanes() + 1;
    });
  }

  @Test
  void a_lane_with_a_call_in_flight_is_kept_and_no_claim_overtakes_the_call() {
    var stock = new StockStub(1, 100);
    var calls = new ConcurrentLinkedQueue<StockStub.Call>();
    stock.behave(call -> held(calls, call));
    var groupCommit = groupCommit(stock);
    groupCommit.claim(coupon, user(1));
    await(() -> calls.size() == 1);

    int others = 2 * limits().lanes();
    for (int i = 0; i < others; i++) {
      groupCommit.claim(aCoupon().withId("C" + i).build(), user(100 + i));
    }
    await(() -> calls.size() == 1 + others);
    groupCommit.claim(coupon, user(2));
    groupCommit.claim(aCoupon().withId("LAST").build(), user(99));
    await(() -> stock.arrived().contains(user(99)));

    assertThat(stock.arrived()).as("sent beside the call in flight").doesNotContain(user(2));
  }

  @Test
  void claims_keep_their_order_while_lanes_are_created_and_removed() {
    var stock = new StockStub(2, 5);
    var groupCommit = groupCommit(stock);
    for (int round = 0; round < 500; round++) {
      var answers = new ArrayList<CompletionStage<ClaimOutcome>>();
      int of = round;
      for (int i = 0; i < 4; i++) {
        answers.add(groupCommit.claim(coupon, user(4 * of + i)));
      }
      groupCommit.claim(aCoupon().withId("C" + round % 9).build(), new UserId("other-" + round));
      answers.forEach(GroupCommitTest::outcome);
    }

    assertThat(stock.arrived().stream().filter(user -> user.value().startsWith("user-")))
        .containsExactlyElementsOf(
            IntStream.range(0, 2_000).mapToObj(GroupCommitTest::user).toList());
  }

  private GroupCommit groupCommit(StockStub stock) {
    return groupCommit(stock, limits());
  }

  /** With a short call timeout, for backends that never reply. */
  private GroupCommit groupCommitWithShortTimeout(StockStub stock) {
    return groupCommit(stock, LimitsForTests.claims(LONG, SHORT, 5_000));
  }

  private GroupCommit groupCommit(StockStub stock, ClaimLimits limits) {
    return new GroupCommit(
        _ -> stock,
        new KnownEpochs(),
        CouponFixtures.codeKeys(),
        limits,
        executor,
        IssuanceObserver.silent());
  }

  private static ClaimLimits limits() {
    return LimitsForTests.claims(LONG, LONG, 5_000);
  }

  private static CompletionStage<List<ClaimOutcome>> held(
      ConcurrentLinkedQueue<StockStub.Call> calls, StockStub.Call call) {
    calls.add(call);
    return call.answer();
  }

  private CompletionStage<List<ClaimOutcome>> laterIn(int micros, StockStub.Call call) {
    CompletableFuture.delayedExecutor(micros, TimeUnit.MICROSECONDS, executor).execute(call::reply);
    return call.answer();
  }

  private static void assertUnknown(CompletionStage<ClaimOutcome> answer) {
    assertThat(answered(answer))
        .isInstanceOfSatisfying(
            StockUnavailableException.class, e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));
  }

  private static ClaimOutcome outcome(CompletionStage<ClaimOutcome> answer) {
    return answer.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  /** The outcome or the failure. */
  private static Object answered(CompletionStage<ClaimOutcome> answer) {
    try {
      return outcome(answer);
    } catch (CompletionException e) {
      return Objects.requireNonNull(e.getCause());
    }
  }

  private static ClaimOutcome accepted(int slot) {
    return new ClaimOutcome.Accepted(new Slot(slot));
  }

  private static UserId user(int number) {
    return new UserId("user-" + number);
  }

  private static RandomGenerator random(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("timeout while waiting for the condition").isLessThan(end);
      Thread.onSpinWait();
    }
  }
}
