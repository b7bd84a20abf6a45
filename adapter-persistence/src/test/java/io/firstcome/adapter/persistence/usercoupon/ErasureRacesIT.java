package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static io.firstcome.contracts.CouponFixtures.pseudonymOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.UserId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What can happen at the same time as an erasure. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class ErasureRacesIT {

  private static final UserId ANN = new UserId("ann");
  private static final long SHORT_MILLIS = 500;

  private final TestDatabase database = new TestDatabase(ErasureRacesIT.class);

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void no_epoch_is_raised_between_the_change_of_the_stock_and_that_of_the_row() throws Exception {
    var ports = database.empty();
    var coupon = ports.define(aCoupon().build(), 1);
    ports.userCoupons().record(List.of(acceptedClaim(coupon, "ann", 1, 1)));
    var erasure = ports.erasures().request(ANN, OPERATOR, ACCEPTED_AT);
    var raised = new CompletableFuture<Void>();

    var obstacle =
        ports
            .erasures()
            .erase(
                erasure.id(),
                coupon.id(),
                pseudonymOf(ANN),
                false,
                () -> {
                  Thread.ofVirtual()
                      .start(() -> {
                        ports.epochs().raise(coupon.partition(), new Epoch(2));
                        raised.complete(null);
                      });
                  assertThat(isDone(raised)).as("raised before the row is changed").isFalse();
                });

    assertThat(obstacle).isEmpty();
    raised.get(30, TimeUnit.SECONDS);
    assertThat(ports.userCoupons().find(coupon.id(), pseudonymOf(ANN))).isPresent();
  }

  private static boolean isDone(CompletableFuture<Void> future) {
    try {
      future.copy().orTimeout(SHORT_MILLIS, TimeUnit.MILLISECONDS).join();
      return true;
    } catch (CompletionException e) {
      return false;
    }
  }
}
