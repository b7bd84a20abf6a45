package io.firstcome.application.reconciliation;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.reconciliation.RunProofs.Answer;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Proofs that run when the test starts them. */
@Timeout(30)
class RunProofsTest {

  private static final Duration AT_ONCE = Duration.ZERO;
  private static final Duration LONG = Duration.ofMinutes(1);

  private static final Optional<UserId> ANN = Optional.of(new UserId("ann"));
  private static final Optional<UserId> BOB = Optional.of(new UserId("bob"));
  private static final Optional<UserId> NOBODY = Optional.empty();

  private final Coupon coupon = aCoupon().withTotal(3).build();
  private final InMemoryService service = InMemoryService.with(coupon);
  private final Queue<Runnable> begun = new ConcurrentLinkedQueue<>();
  private final RunProofs proofs =
      new RunProofs(service.proveExactness, begun::add, service.clock, service.limits.comparison());

  private Answer prove(Duration atMost) throws InterruptedException {
    return proofs.prove(coupon.id(), ANN, atMost);
  }

  private void runTheProof() {
    begun.remove().run();
  }

  @Test
  void a_second_request_joins_the_comparison_in_progress_and_gets_its_proof()
      throws InterruptedException {
    assertThat(prove(AT_ONCE))
        .isInstanceOfSatisfying(
            Answer.UnderWay.class,
            underWay -> assertThat(underWay.progress().phase()).isEqualTo(RunProofs.Phase.ROWS));
    assertThat(prove(AT_ONCE)).isInstanceOf(Answer.UnderWay.class);
    assertThat(begun).hasSize(1);

    runTheProof();

    assertThat(prove(AT_ONCE))
        .isInstanceOfSatisfying(
            Answer.Done.class, done -> assertThat(done.proof().exact()).isTrue());
  }

  @Test
  void a_proof_that_was_returned_is_not_returned_again() throws InterruptedException {
    prove(AT_ONCE);
    runTheProof();
    prove(AT_ONCE);

    assertThat(prove(AT_ONCE)).isInstanceOf(Answer.UnderWay.class);
    assertThat(begun).hasSize(1);
  }

  @Test
  void a_proof_that_is_not_fetched_in_time_is_discarded() throws InterruptedException {
    prove(AT_ONCE);
    runTheProof();

    long end = System.nanoTime() + service.limits.comparison().proofKept().toNanos();
    while (System.nanoTime() <= end) {
      Thread.onSpinWait();
    }

    assertThat(prove(AT_ONCE)).isInstanceOf(Answer.UnderWay.class);
  }

  @Test
  void a_waiting_caller_gets_the_proof_as_soon_as_it_is_complete() throws Exception {
    var waiting = waiting();
    assertThat(prove(AT_ONCE)).isInstanceOf(Answer.UnderWay.class);
    assertThat(begun).hasSize(1);

    runTheProof();

    assertThat(waiting.get()).isInstanceOf(Answer.Done.class);
  }

  /** Starts a caller that waits for its proof, and returns when the comparison can be run. */
  private CompletableFuture<Answer> waiting() {
    var answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return prove(LONG);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            caller -> Thread.ofVirtual().start(caller));
    while (begun.isEmpty()) {
      Thread.onSpinWait();
    }
    return answer;
  }

  @Test
  void the_number_of_concurrent_proofs_is_limited() throws InterruptedException {
    var other = new CouponId("OTHER");
    prove(AT_ONCE);
    assertThat(proofs.prove(new CouponId("THIRD"), BOB, AT_ONCE))
        .isInstanceOf(Answer.UnderWay.class);
    assertThat(proofs.prove(other, NOBODY, AT_ONCE)).isEqualTo(new Answer.NotNow());

    runTheProof();

    assertThat(proofs.prove(other, NOBODY, AT_ONCE)).isInstanceOf(Answer.UnderWay.class);
    runTheProof();
    runTheProof();
    assertThat(proofs.prove(other, NOBODY, AT_ONCE)).isEqualTo(new Answer.UnknownCoupon());
  }

  @Test
  void an_operator_starts_one_proof_at_a_time_and_can_join_those_of_others()
      throws InterruptedException {
    var other = new CouponId("OTHER");
    prove(AT_ONCE);
    assertThat(proofs.prove(other, ANN, AT_ONCE)).isEqualTo(new Answer.NotNow());
    assertThat(proofs.prove(other, BOB, AT_ONCE)).isInstanceOf(Answer.UnderWay.class);
    assertThat(proofs.prove(other, ANN, AT_ONCE)).isInstanceOf(Answer.UnderWay.class);

    runTheProof();

    assertThat(proofs.prove(new CouponId("THIRD"), ANN, AT_ONCE))
        .isInstanceOf(Answer.UnderWay.class);
  }

  @Test
  void an_unreachable_server_fails_the_proof_and_the_next_proof_starts_again()
      throws InterruptedException {
    var waiting = waiting();
    service.stock.restart();

    runTheProof();

    assertThat(waiting)
        .failsWithin(LONG)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(StockUnavailableException.class);
    assertThat(prove(AT_ONCE)).isInstanceOf(Answer.UnderWay.class);
  }

  @Test
  void an_instance_that_stops_ends_its_proofs() throws InterruptedException {
    prove(AT_ONCE);

    proofs.stop();
    runTheProof();

    assertThat(prove(AT_ONCE)).isEqualTo(new Answer.NotNow());
  }
}
