package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Discrepancy;
import io.firstcome.domain.port.IssuanceObserver;
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
 * The reconciler beside claims, relay and recorders that never stop: it must find nothing, since
 * nothing is wrong.
 *
 * <p>{@code -Dfirstcome.reconciler.claims=1000000 -Dfirstcome.reconciler.runs=3600} is the size
 * that the product is held to.
 */
class NoFalseAlarmTest {

  private static final int CLAIMS = Integer.getInteger("firstcome.reconciler.claims", 50_000);
  private static final int RUNS = Integer.getInteger("firstcome.reconciler.runs", 200);
  private static final int PIECES = 500;
  private static final int CUSTOMERS_AT_A_TIME = 4;

  private final World world = new World();
  private final List<Coupon> coupons = coupons();
  private final ConcurrentLinkedQueue<Discrepancy> alarms = new ConcurrentLinkedQueue<>();
  private final CountDownLatch customersLeft = new CountDownLatch(CUSTOMERS_AT_A_TIME);

  private final IssuanceObserver listener =
      new IssuanceObserver() {
        @Override
        public void discrepanciesFound(CouponId id, List<Discrepancy> found, boolean healing) {
          alarms.addAll(found);
        }
      };

  @Test
  @Timeout(1_800)
  void claims_on_their_way_are_never_taken_for_discrepancies() throws Exception {
    try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      var customers =
          IntStream.range(0, CUSTOMERS_AT_A_TIME)
              .mapToObj(i -> threads.submit(() -> claimAsCustomer(i)))
              .toList();
      var carrier = threads.submit(untilAllIsRecorded(world::relayAndRecord));
      var recorder =
          threads.submit(untilAllIsRecorded(() -> world.recordAllWaiting(world.recorder)));
      var busyRuns = threads.submit(this::reconcileAllTheTime);
      for (var customer : customers) {
        customer.get();
      }
      assertThat(busyRuns.get()).as("runs with claims on their way").isPositive();
      end(carrier);
      end(recorder);
    }

    assertThat(alarms).isEmpty();
    for (var coupon : coupons) {
      var proof = world.proof(coupon);
      assertThat(proof.exact()).isTrue();
      assertThat(proof.slotsUsed()).isEqualTo(PIECES);
    }
  }

  private List<Coupon> coupons() {
    world.lookAtTheFence();
    var all =
        IntStream.range(0, CLAIMS / PIECES)
            .mapToObj(i -> aCoupon().withId("COUPON" + i).withTotal(PIECES).build())
            .toList();
    all.forEach(coupon -> world.defineCoupon.define(coupon.definition(), null, OPERATOR));
    return all;
  }

  /**
   * A share of all users, each of whom claims a coupon, and again while the answer leaves doubt.
   */
  private boolean claimAsCustomer(int share) {
    try {
      for (int i = share; i < coupons.size() * PIECES; i += CUSTOMERS_AT_A_TIME) {
        var coupon = coupons.get(i % coupons.size());
        var answer = world.claim(coupon, "user-" + i);
        while (isDoubtful(answer)) {
          Thread.onSpinWait();
          answer = world.claim(coupon, "user-" + i);
        }
        assertThat(answer)
            .isInstanceOfAny(ClaimAnswer.Accepted.class, ClaimAnswer.AlreadyIssued.class);
      }
      return true;
    } finally {
      customersLeft.countDown();
    }
  }

  /** Threads that are many may have to wait longer for their turn than a claim call may take. */
  private static boolean isDoubtful(ClaimAnswer answer) {
    return answer instanceof ClaimAnswer.Overloaded || answer instanceof ClaimAnswer.OutcomeUnknown;
  }

  private Callable<Boolean> untilAllIsRecorded(Runnable round) {
    return () -> {
      while (customersLeft.getCount() > 0 || world.logDepth() > 0) {
        round.run();
      }
      return true;
    };
  }

  /** At least so many runs, and as long as there are customers. */
  private int reconcileAllTheTime() {
    var reconciler = world.reconcileCoupons(listener);
    int busy = 0;
    for (int run = 0; run < RUNS || customersLeft.getCount() > 0; run++) {
      busy += world.logDepth() > 0 ? 1 : 0;
      reconciler.reconcileNext();
    }
    return busy;
  }

  private static void end(Future<Boolean> work) throws InterruptedException, ExecutionException {
    assertThat(work.get()).isTrue();
  }
}
