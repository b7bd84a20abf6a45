package io.firstcome.application.claim;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.claim.ClaimAnswer.RowState;
import io.firstcome.application.recording.RecordAcceptedClaims;
import io.firstcome.application.recording.RowArrivals;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Claims whose caller waits until the row is committed. */
@Timeout(30)
class WaitingForTheRowTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  private final Coupon coupon = aCoupon().withTotal(20).build();
  private final InMemoryService service = InMemoryService.with(coupon);

  @Test
  void a_waiting_caller_gets_the_row_as_soon_as_it_is_committed() throws Exception {
    var answer = waiting("ann");

    service.relayAndRecord();

    assertThat(answer.get()).isInstanceOf(ClaimAnswer.Issued.class);
  }

  @Test
  void a_waiting_caller_gets_a_row_that_another_instance_recorded() throws Exception {
    var answer = waiting("ann");
    var elsewhere =
        new RecordAcceptedClaims(
            service.catalog,
            CouponFixtures.codeKeys(),
            service.database.userCoupons(),
            service.stock.log(),
            service.database.lateClaims(),
            service.lockedCoupons,
            service.keepDeadLetters,
            new RowArrivals(service.database.userCoupons(), service.limits.recording()),
            service.keeper,
            service.clock,
            service.limits.recording(),
            IssuanceObserver.silent());

    service.relay.relayNew();
    service.recordAllWaiting(elsewhere);
    assertThat(answer).isNotDone();
    service.arrivals.findAwaitedRows();

    assertThat(answer.get()).isInstanceOf(ClaimAnswer.Issued.class);
  }

  @Test
  void two_callers_that_wait_for_the_same_row_both_get_it() throws Exception {
    var first = waiting("ann");
    var second = waiting("ann");

    service.relayAndRecord();

    assertThat(first.get()).isInstanceOf(ClaimAnswer.Issued.class);
    assertThat(stateOf(second.get())).isEqualTo(RowState.ISSUED);
  }

  @Test
  void a_caller_that_times_out_does_not_end_the_wait_of_another_caller() throws Exception {
    service.claim(coupon, "ann");
    var other = waiting("ann");
    assertThat(stateOf(claim("ann", Duration.ofMillis(50)))).isEqualTo(RowState.ACCEPTED);

    service.relayAndRecord();

    assertThat(stateOf(other.get())).isEqualTo(RowState.ISSUED);
  }

  @Test
  void a_caller_that_times_out_gets_the_claim_as_accepted() throws Exception {
    assertThat(claim("ann", Duration.ofMillis(30))).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void callers_stop_waiting_when_recording_stands_still_and_few_wait_until_it_goes_on()
      throws Exception {
    var answer = waiting("ann");
    while (!answer.isDone()) {
      service.arrivals.findAwaitedRows();
      Thread.sleep(10);
    }
    assertThat(answer.get()).isInstanceOf(ClaimAnswer.Accepted.class);

    var few = IntStream.range(0, 8).mapToObj(number -> waiting("bob" + number)).toList();
    assertThat(claim("cid", LONG)).isInstanceOf(ClaimAnswer.Accepted.class);

    service.relayAndRecord();
    for (var waited : few) {
      assertThat(waited.get()).isInstanceOf(ClaimAnswer.Issued.class);
    }
    var later = waiting("dora");
    service.relayAndRecord();
    assertThat(later.get()).isInstanceOf(ClaimAnswer.Issued.class);
  }

  private ClaimAnswer claim(String user, Duration waitForRow) throws InterruptedException {
    var claimer = new UserId(user);
    var answer = service.claimCoupon.claim(coupon.id(), claimer, null);
    return service.claimCoupon.awaitRow(coupon.id(), claimer, answer, waitForRow);
  }

  /** Starts a claim and returns when its caller waits for the row. */
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
    return answer instanceof ClaimAnswer.AlreadyClaimed issued ? issued.state() : null;
  }
}
