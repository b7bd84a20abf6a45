package io.firstcome.bootstrap.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.wiring.LoadLimits;
import io.firstcome.bootstrap.wiring.MaxConnections;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ConcurrencyLimitsTest {

  private static final Duration IN_TIME = Duration.ofMinutes(1);
  private static final Duration TOO_SHORT = Duration.ofNanos(1);
  private static final Duration WAIT = Duration.ofMillis(300);

  private static final Requester ANN = new Requester(Requester.Type.CUSTOMER, "ann");
  private static final Requester BOB = new Requester(Requester.Type.CUSTOMER, "bob");
  private static final Requester SHOP = new Requester(Requester.Type.SHOP, "berlin");
  private static final Requester PROXY = new Requester(Requester.Type.ADDRESS, "192.0.2.1");

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  private ConcurrencyLimits limits(Duration time, int least, int most) {
    return limits(time, least, most, 100);
  }

  private ConcurrencyLimits limits(Duration time, int least, int most, int connections) {
    return limits(time, least, most, connections, WAIT);
  }

  private ConcurrencyLimits limits(
      Duration time, int least, int most, int connections, Duration wait) {
    return new ConcurrencyLimits(
        new LoadLimits(time, time, least, least, most, wait),
        new MaxConnections(connections),
        metrics);
  }

  private static List<Permit> acquireAll(ConcurrencyLimits limits, RequestKind kind) {
    var permits = new ArrayList<Permit>();
    for (var next = limits.acquire(kind, null);
        next.isPresent();
        next = limits.acquire(kind, null)) {
      permits.add(next.get());
    }
    return permits;
  }

  private double claimLimit() {
    return metrics.get("firstcome.requests.concurrent.limit").tag("kind", "claim").gauge().value();
  }

  @Test
  void requests_beyond_the_limit_are_not_admitted_until_one_ends() {
    var limits = limits(IN_TIME, 2, 2);
    var permits = acquireAll(limits, RequestKind.CLAIM);
    assertThat(permits).hasSize(2);

    permits.getFirst().release();

    assertThat(limits.acquire(RequestKind.CLAIM, null)).isPresent();
    assertThat(limits.acquire(RequestKind.CLAIM, null)).isEmpty();
  }

  @Test
  void a_claim_beyond_the_limit_does_not_wait_and_another_request_does() {
    var limits = limits(IN_TIME, 1, 1);
    acquireAll(limits, RequestKind.CLAIM);
    acquireAll(limits, RequestKind.READ);

    long begin = System.nanoTime();
    assertThat(limits.acquire(RequestKind.CLAIM, null)).isEmpty();
    long claimed = System.nanoTime();
    assertThat(limits.acquire(RequestKind.READ, null)).isEmpty();
    long read = System.nanoTime();

    assertThat(Duration.ofNanos(claimed - begin)).isLessThan(WAIT);
    assertThat(Duration.ofNanos(read - claimed)).isGreaterThanOrEqualTo(WAIT);
  }

  @Test
  void a_request_that_waits_is_admitted_when_another_one_ends() throws Exception {
    var limits = limits(IN_TIME, 1, 1);
    var first = limits.acquire(RequestKind.READ, null).orElseThrow();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var second = threads.submit(() -> limits.acquire(RequestKind.READ, null));

      first.release();

      assertThat(second.get()).isPresent();
    }
  }

  @Test
  @Timeout(30)
  void requests_are_admitted_in_the_order_of_their_arrival() throws Exception {
    assertThat(admitted(Arrays.asList(null, ANN, null, PROXY, BOB, PROXY)))
        .containsExactly(0, 1, 2, 3, 4, 5);
  }

  @Test
  @Timeout(30)
  void a_requester_with_many_requests_delays_others_by_one() throws Exception {
    assertThat(admitted(List.of(ANN, ANN, ANN, BOB, ANN, BOB))).containsExactly(0, 3, 1, 5, 2, 4);
  }

  @Test
  @Timeout(30)
  void requests_of_a_shops_customers_have_turns_of_their_own() throws Exception {
    assertThat(admitted(List.of(ANN, ANN, SHOP, SHOP))).containsExactly(0, 2, 3, 1);
  }

  /** The numbers of waiting requests of these requesters, in the order in which they go on. */
  private List<Integer> admitted(List<@Nullable Requester> requesters) throws Exception {
    var limits = limits(IN_TIME, 1, 1, 100, Duration.ofMinutes(1));
    var first = limits.acquire(RequestKind.READ, null).orElseThrow();
    var admitted = new LinkedBlockingQueue<Integer>();
    for (int i = 0; i < requesters.size(); i++) {
      int number = i;
      awaitWaiting(
          Thread.startVirtualThread(() -> {
            var permit = limits.acquire(RequestKind.READ, requesters.get(number)).orElseThrow();
            admitted.add(number);
            permit.release();
          }));
    }

    first.release();

    var order = new ArrayList<Integer>();
    while (order.size() < requesters.size()) {
      order.add(admitted.take());
    }
    return order;
  }

  @Test
  @Timeout(30)
  void a_request_that_waits_too_long_does_not_keep_others_waiting() throws Exception {
    var limits = limits(IN_TIME, 1, 1);
    var first = limits.acquire(RequestKind.READ, null).orElseThrow();
    assertThat(limits.acquire(RequestKind.READ, null)).isEmpty();

    first.release();

    assertThat(limits.acquire(RequestKind.READ, null)).isPresent();
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  @Test
  @Timeout(30)
  void requests_of_all_kinds_that_wait_occupy_only_a_part_of_the_connections() throws Exception {
    var limits = limits(IN_TIME, 1, 1, 2);
    acquireAll(limits, RequestKind.READ);
    acquireAll(limits, RequestKind.SHOP);
    var read = new FutureTask<>(() -> limits.acquire(RequestKind.READ, null));
    awaitWaiting(Thread.startVirtualThread(read));

    long begin = System.nanoTime();
    assertThat(limits.acquire(RequestKind.SHOP, null)).isEmpty();

    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(WAIT);
    assertThat(read.get()).isEmpty();
  }

  @Test
  @Timeout(30)
  void a_customer_with_many_requests_that_wait_is_refused_at_once_and_others_are_not()
      throws Exception {
    var limits = limits(IN_TIME, 1, 1, 100, Duration.ofMinutes(1));
    var first = limits.acquire(RequestKind.READ, null).orElseThrow();
    for (int i = 0; i < 16; i++) {
      awaitWaiting(
          Thread.startVirtualThread(
              () -> limits.acquire(RequestKind.READ, ANN).orElseThrow().release()));
    }

    assertThat(limits.acquire(RequestKind.READ, ANN)).isEmpty();

    var other = new FutureTask<>(() -> limits.acquire(RequestKind.READ, BOB));
    awaitWaiting(Thread.startVirtualThread(other));
    first.release();
    assertThat(other.get()).isPresent();
  }

  @Test
  void a_permit_is_released_once() {
    var limits = limits(IN_TIME, 2, 2);
    var permits = acquireAll(limits, RequestKind.CLAIM);

    permits.getFirst().release();
    permits.getFirst().release();

    assertThat(acquireAll(limits, RequestKind.CLAIM)).hasSize(1);
  }

  @Test
  void kinds_have_limits_of_their_own() {
    var limits = limits(IN_TIME, 1, 1);
    acquireAll(limits, RequestKind.READ);

    assertThat(limits.acquire(RequestKind.CLAIM, null)).isPresent();
  }

  @Test
  void the_limit_grows_while_requests_are_handled_in_time_and_not_beyond_the_most() {
    var limits = limits(IN_TIME, 2, 6);

    for (int i = 0; i < 20; i++) {
      acquireAll(limits, RequestKind.CLAIM).forEach(Permit::release);
    }

    assertThat(claimLimit()).isEqualTo(6);
    assertThat(acquireAll(limits, RequestKind.CLAIM)).hasSize(6);
  }

  @Test
  void the_limit_shrinks_while_requests_take_too_long_and_not_below_the_least() {
    var limits = limits(TOO_SHORT, 2, 6);

    for (int i = 0; i < 20; i++) {
      acquireAll(limits, RequestKind.CLAIM).forEach(Permit::release);
    }

    assertThat(claimLimit()).isEqualTo(2);
  }
}
