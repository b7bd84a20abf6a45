package io.firstcome.application.reconciliation;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.observation.ConsistencyObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.reconciliation.Discrepancy;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The reconciler runs while claims, relay and recorders never stop; it must find no discrepancy.
 *
 * <p>{@code -Dfirstcome.reconciler.claims=1000000 -Dfirstcome.reconciler.runs=3600} is the required
 * size.
 */
class NoFalseAlarmTest {

  private static final int CLAIMS = Integer.getInteger("firstcome.reconciler.claims", 50_000);
  private static final int RUNS = Integer.getInteger("firstcome.reconciler.runs", 200);
  private static final int SLOTS = 500;
  private static final int CUSTOMERS_AT_A_TIME = 4;

  private final InMemoryService service = new InMemoryService();
  private final List<Coupon> coupons = coupons();
  private final ConcurrentLinkedQueue<Discrepancy> alarms = new ConcurrentLinkedQueue<>();
  private final CountDownLatch customersLeft = new CountDownLatch(CUSTOMERS_AT_A_TIME);

  private final IssuanceObserver listener =
      observation -> {
        if (observation
            instanceof ConsistencyObservation.DiscrepanciesFound(_, List<Discrepancy> found, _)) {
          alarms.addAll(found);
        }
      };

  @Test
  @Timeout(1_800)
  void claims_in_flight_are_never_reported_as_discrepancies() throws Exception {
    try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      var customers =
          IntStream.range(0, CUSTOMERS_AT_A_TIME)
              .mapToObj(i -> threads.submit(() -> claimAsCustomer(i)))
              .toList();
      var relay = threads.submit(untilAllIsRecorded(service::relayAndRecord));
      var recorder =
          threads.submit(untilAllIsRecorded(() -> service.recordAllWaiting(service.recorder)));
      var busyRuns = threads.submit(this::reconcileRepeatedly);
      for (var customer : customers) {
        customer.get();
      }
      assertThat(busyRuns.get()).as("runs with claims in flight").isPositive();
      end(relay);
      end(recorder);
    }

    assertThat(alarms).isEmpty();
    for (var coupon : coupons) {
      var proof = service.proof(coupon);
      assertThat(proof.exact()).isTrue();
      assertThat(proof.slotsUsed()).isEqualTo(SLOTS);
    }
  }

  private List<Coupon> coupons() {
    service.checkTheFence();
    var all =
        IntStream.range(0, CLAIMS / SLOTS)
            .mapToObj(i -> aCoupon().withId("COUPON" + i).withTotal(SLOTS).build())
            .toList();
    all.forEach(coupon -> service.defineCoupon.define(coupon.definition(), null, OPERATOR));
    return all;
  }

  /** Claims for a share of all users, and retries a claim while its outcome is in doubt. */
  private boolean claimAsCustomer(int share) {
    try {
      for (int i = share; i < coupons.size() * SLOTS; i += CUSTOMERS_AT_A_TIME) {
        var coupon = coupons.get(i % coupons.size());
        var answer = service.claim(coupon, "user-" + i);
        while (isDoubtful(answer)) {
          Thread.onSpinWait();
          answer = service.claim(coupon, "user-" + i);
        }
        assertThat(answer)
            .isInstanceOfAny(ClaimAnswer.Accepted.class, ClaimAnswer.AlreadyClaimed.class);
      }
      return true;
    } finally {
      customersLeft.countDown();
    }
  }

  /** With many threads, one may wait for the processor longer than the timeout of a claim call. */
  private static boolean isDoubtful(ClaimAnswer answer) {
    return answer instanceof ClaimAnswer.Overloaded || answer instanceof ClaimAnswer.OutcomeUnknown;
  }

  private Callable<Boolean> untilAllIsRecorded(Runnable round) {
    return () -> {
      while (customersLeft.getCount() > 0 || service.logDepth() > 0) {
        round.run();
      }
      return true;
    };
  }

  /**
   * Runs at least {@link #RUNS} times and until all customers are done; returns how many of the
   * runs had claims in flight.
   */
  private int reconcileRepeatedly() {
    var reconciler = service.reconcileCoupons(listener);
    int busy = 0;
    for (int run = 0; run < RUNS || customersLeft.getCount() > 0; run++) {
      busy += service.logDepth() > 0 ? 1 : 0;
      reconciler.reconcileNext();
    }
    return busy;
  }

  private static void end(Future<Boolean> work) throws InterruptedException, ExecutionException {
    assertThat(work.get()).isTrue();
  }
}
