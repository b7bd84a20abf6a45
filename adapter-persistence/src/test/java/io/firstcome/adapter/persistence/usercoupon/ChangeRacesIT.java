package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Concurrent writers that record steps of the same user coupons. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class ChangeRacesIT {

  private static final int BATCH = 400;
  private static final int FEW = 4;
  private static final int ROUNDS = 15;

  private final TestDatabase database = new TestDatabase(ChangeRacesIT.class);
  private final Coupon coupon = aCoupon().withTotal(BATCH).build();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private DatabasePorts ports = database.ports();

  @BeforeEach
  void every_user_has_a_user_coupon() {
    ports = database.empty();
    ports.define(coupon, 1);
    ports
        .userCoupons()
        .record(
            IntStream.rangeClosed(1, BATCH)
                .mapToObj(slot -> acceptedClaim(coupon, "user" + slot, slot, 1))
                .toList());
  }

  @AfterAll
  void close() {
    threads.close();
    database.close();
  }

  private List<UserCoupon> all() {
    return ports.userCoupons().overdue(ACCEPTED_AT.plusSeconds(100_000_000), BATCH);
  }

  private static List<UserCouponChange> expiry(List<UserCoupon> userCoupons) {
    return userCoupons.stream()
        .map(Issued.class::cast)
        .map(issued -> new UserCouponChange(issued, issued.expire(), Actor.TIME, ACCEPTED_AT))
        .toList();
  }

  @Test
  void concurrent_large_and_small_batches_record_each_step_once() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      every_user_has_a_user_coupon();
      var changes = expiry(all());
      assertThat(changes).hasSize(BATCH);
      var barrier = new CyclicBarrier(2);
      var large = inBatches(changes, BATCH, barrier);
      var small = inBatches(changes, FEW, barrier);

      assertThat(large.get(20, TimeUnit.SECONDS) + small.get(20, TimeUnit.SECONDS))
          .isEqualTo(BATCH);
    }
  }

  /** Returns how many were recorded. */
  private CompletableFuture<Integer> inBatches(
      List<UserCouponChange> changes, int size, CyclicBarrier barrier) {
    return CompletableFuture.supplyAsync(
        () -> {
          await(barrier);
          int recorded = 0;
          for (int from = 0; from < changes.size(); from += size) {
            var batch = changes.subList(from, Math.min(from + size, changes.size()));
            recorded += ports.userCoupons().change(batch).size();
          }
          return recorded;
        },
        threads);
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("the other writer did not reach the barrier", e);
    }
  }
}
