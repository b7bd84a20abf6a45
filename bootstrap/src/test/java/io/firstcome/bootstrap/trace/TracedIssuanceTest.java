package io.firstcome.bootstrap.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.trace.Step.Batch;
import io.firstcome.bootstrap.trace.Step.Part;
import io.firstcome.bootstrap.trace.Step.Stage;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.ClaimObservation.CallEnded;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.Observation;
import io.firstcome.domain.observation.RecordingObservation.EntriesPublished;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TracedIssuanceTest {

  private static final CouponId SUMMER = new CouponId("SUMMER");
  private static final Duration TOOK = Duration.ofMillis(3);
  private static final Instant NOW = Instant.ofEpochSecond(1_000);
  private static final String MISSING = "firstcome.trace.spans.missing";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final StepQueue queue = new StepQueue(registry);
  private final List<Observation> passedOn = new ArrayList<>();

  private IssuanceObserver traced(double probability) {
    return new TracedIssuance(passedOn::add, new Sampling(probability), queue, () -> NOW);
  }

  private static List<UserId> users(int count) {
    return IntStream.range(0, count).mapToObj(number -> new UserId("user-" + number)).toList();
  }

  private Batch onlyStep() {
    var steps = queue.take(10);
    assertThat(steps).singleElement().isInstanceOf(Batch.class);
    return (Batch) steps.getFirst();
  }

  @Test
  void every_observation_is_passed_on() {
    var call = new CallEnded(SUMMER, users(1), List.of(new ClaimOutcome.SoldOut()), TOOK, true);

    traced(1).observe(call);

    assertThat(passedOn).containsExactly(call);
  }

  @Test
  void of_a_call_the_claims_with_a_new_slot_are_a_step() {
    List<ClaimOutcome> outcomes =
        List.of(
            new ClaimOutcome.AlreadyIssued(new Slot(1)),
            new ClaimOutcome.Accepted(new Slot(2)),
            new ClaimOutcome.SoldOut());

    traced(1).observe(new CallEnded(SUMMER, users(3), outcomes, TOOK, true));

    var step = onlyStep();
    assertThat(step.stage()).isEqualTo(Stage.COMMIT);
    assertThat(step.tags()).containsEntry(Tags.CLAIMS, 3L);
    assertThat(step.claims())
        .containsExactly(new Part(SUMMER, new UserId("user-1"), null, Map.of(Tags.SLOT, 2L)));
    assertThat(step.period()).isEqualTo(new Step.Period(NOW, TOOK));
  }

  @Test
  void of_a_call_without_an_answer_every_claim_is_in_the_step() {
    traced(1).observe(new CallEnded(SUMMER, users(2), List.of(), TOOK, false));

    assertThat(onlyStep().claims())
        .hasSize(2)
        .allSatisfy(
            claim -> assertThat(claim.tags()).containsEntry(Tags.OUTCOME, "outcome-unknown"));
  }

  @Test
  void a_call_without_a_sampled_claim_is_no_step() {
    traced(0).observe(new CallEnded(SUMMER, users(2), List.of(), TOOK, false));

    assertThat(queue.take(1)).isEmpty();
  }

  @Test
  void a_published_claim_has_the_entry_that_it_was_in() {
    var reference = new EntryReference(new Partition(3), "1700000000000-0", new Epoch(5));
    var claims = List.of(new SlotClaim(new UserId("ann"), new Slot(9)));
    var entry = new HandoffEntry(reference, SUMMER, NOW, claims);

    traced(1).observe(new EntriesPublished(List.of(entry), TOOK, true));

    var step = onlyStep();
    assertThat(step.stage()).isEqualTo(Stage.PUBLISH);
    assertThat(step.tags()).containsEntry(Tags.ENTRIES, 1L).containsEntry(Tags.AGAIN, "true");
    assertThat(step.claims().getFirst().tags())
        .containsEntry(Tags.ENTRY, "1700000000000-0")
        .containsEntry(Tags.PARTITION, 3L)
        .containsEntry(Tags.EPOCH, 5L)
        .containsEntry(Tags.SLOT, 9L);
  }

  @Test
  void the_claims_of_a_step_are_bounded_and_the_others_are_counted() {
    traced(1).observe(new CallEnded(SUMMER, users(130), List.of(), TOOK, false));

    assertThat(onlyStep().claims()).hasSize(Batch.MOST_CLAIMS);
    assertThat(registry.counter(MISSING).count()).isEqualTo(2);
  }

  @Test
  void when_the_queue_is_full_spans_are_counted_as_missing_and_no_caller_waits() {
    var observer = traced(1);
    var call = new CallEnded(SUMMER, users(1), List.of(), TOOK, false);
    for (int i = 0; i < StepQueue.CAPACITY; i++) {
      observer.observe(call);
    }
    assertThat(registry.counter(MISSING).count()).isZero();

    observer.observe(call);

    assertThat(registry.counter(MISSING).count()).isEqualTo(2);
  }
}
