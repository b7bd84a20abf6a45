package io.firstcome.bootstrap.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CallerTurnsTest {

  private static final UserId ANN = new UserId("ann");
  private static final UserId BOB = new UserId("bob");

  private final CallerTurns turns = new CallerTurns(Duration.ofSeconds(2));
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  private boolean awaitEnd() {
    begun.countDown();
    try {
      return end.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_call_is_refused_while_another_one_takes_long() throws InterruptedException {
    var first = CompletableFuture.supplyAsync(() -> turns.call(ANN, this::awaitEnd));
    begun.await();

    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> turns.call(BOB, () -> true))
        .satisfies(problem -> assertThat(problem.body().getStatus()).isEqualTo(503));

    end.countDown();
    assertThat(first.join()).isTrue();
    assertThat(turns.call(ANN, () -> turns.call(BOB, () -> true))).isTrue();
  }

  @Test
  void many_calls_of_one_caller_do_not_delay_those_of_others() throws InterruptedException {
    var order = Collections.synchronizedList(new ArrayList<String>());
    var first = new Thread(() -> turns.call(ANN, this::awaitEnd));
    first.start();
    begun.await();
    var threads =
        List.of(
            waiting(() -> turns.call(ANN, () -> order.add("ann"))),
            waiting(() -> turns.call(ANN, () -> order.add("ann"))),
            waiting(() -> turns.call(BOB, () -> order.add("bob"))),
            waiting(() -> turns.call(null, () -> order.add("no name"))));

    end.countDown();
    for (var thread : threads) {
      thread.join();
    }

    assertThat(order).containsExactly("bob", "no name", "ann", "ann");
  }

  @Test
  void few_calls_of_one_caller_wait() throws InterruptedException {
    var first = new Thread(() -> turns.call(ANN, this::awaitEnd));
    first.start();
    begun.await();
    var waiting = new ArrayList<Thread>();
    for (int i = 1; i < 8; i++) {
      waiting.add(waiting(() -> turns.call(ANN, () -> true)));
    }

    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> turns.call(ANN, () -> true))
        .satisfies(problem -> assertThat(problem.body().getStatus()).isEqualTo(503));
    assertThat(waiting).allMatch(Thread::isAlive);

    end.countDown();
    for (var thread : waiting) {
      thread.join();
    }
    assertThat(turns.call(ANN, () -> true)).isTrue();
  }

  private static Thread waiting(Runnable call) throws InterruptedException {
    var thread = new Thread(call);
    thread.start();
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(5);
    }
    return thread;
  }

  @Test
  void a_call_that_fails_holds_up_no_other_one() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() ->
            turns.call(
                ANN,
                () -> {
                  throw new IllegalStateException("unreadable");
                }));

    assertThat(CompletableFuture.supplyAsync(() -> turns.call(BOB, () -> true)).join()).isTrue();
  }
}
