package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.ClaimAnswer.RowState;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.IssuanceObserver;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who claims may prefer to be answered when the row is committed. */
@Timeout(30)
class WaitingForTheRowTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  private final Coupon coupon = aCoupon().withTotal(3).build();
  private final World world = World.with(coupon);

  @Test
  void who_prefers_to_wait_hears_of_the_row_as_soon_as_it_is_there() throws Exception {
    var answer = waiting("ann");

    world.relayAndRecord();

    assertThat(answer.get()).isInstanceOf(ClaimAnswer.Issued.class);
  }

  @Test
  void also_when_another_instance_recorded_it() throws Exception {
    var answer = waiting("ann");
    var elsewhere =
        new RecordAcceptedClaims(
            world.catalog,
            CouponFixtures.codeKeys(),
            world.database.userCoupons(),
            world.stock.log(),
            world.database.lateClaims(),
            world.lockedCoupons,
            world.keepDeadLetters,
            new RowArrivals(world.database.userCoupons(), world.limits),
            world.keeper,
            world.limits,
            IssuanceObserver.silent());

    world.relay.relayNew();
    world.recordAllWaiting(elsewhere);
    assertThat(answer).isNotDone();
    world.arrivals.lookForAwaitedRows();

    assertThat(answer.get()).isInstanceOf(ClaimAnswer.Issued.class);
  }

  @Test
  void two_who_wait_for_the_same_row_both_hear_of_it() throws Exception {
    var first = waiting("ann");
    var second = waiting("ann");

    world.relayAndRecord();

    assertThat(first.get()).isInstanceOf(ClaimAnswer.Issued.class);
    assertThat(stateOf(second.get())).isEqualTo(RowState.ISSUED);
  }

  @Test
  void one_who_gives_up_waiting_leaves_the_other_waiting() throws Exception {
    world.claim(coupon, "ann");
    var patient = waiting("ann");
    assertThat(stateOf(claim("ann", Duration.ofMillis(50)))).isEqualTo(RowState.ACCEPTED);

    world.relayAndRecord();

    assertThat(stateOf(patient.get())).isEqualTo(RowState.ISSUED);
  }

  @Test
  void who_waits_in_vain_is_told_that_the_claim_is_accepted() throws Exception {
    assertThat(claim("ann", Duration.ofMillis(30))).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  private ClaimAnswer claim(String user, Duration waitForRow) throws InterruptedException {
    return world.claimCoupon.claim(coupon.id(), new UserId(user), waitForRow);
  }

  /** The answer to a claim, whose caller waits for the row when this returns. */
  private FutureTask<ClaimAnswer> waiting(String user) {
    var answer = new FutureTask<>(() -> claim(user, LONG));
    var caller = Thread.ofPlatform().daemon().start(answer);
    while (caller.getState() != Thread.State.TIMED_WAITING) {
      assertThat(answer).isNotDone();
      Thread.onSpinWait();
    }
    return answer;
  }

  private static @Nullable RowState stateOf(ClaimAnswer answer) {
    return answer instanceof ClaimAnswer.AlreadyIssued issued ? issued.state() : null;
  }
}
