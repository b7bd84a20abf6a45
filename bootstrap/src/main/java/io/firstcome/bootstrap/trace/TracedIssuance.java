package io.firstcome.bootstrap.trace;

import io.firstcome.bootstrap.trace.Step.Batch;
import io.firstcome.bootstrap.trace.Step.Part;
import io.firstcome.bootstrap.trace.Step.Period;
import io.firstcome.bootstrap.trace.Step.Stage;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.observation.ClaimObservation.CallEnded;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.Observation;
import io.firstcome.domain.observation.RecordingObservation.ClaimsRecorded;
import io.firstcome.domain.observation.RecordingObservation.EntriesPublished;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Adds the steps of sampled claims to the queue, and passes every observation on. For a claim that
 * is not sampled it does no more than {@link Sampling#includes}.
 */
final class TracedIssuance implements IssuanceObserver {

  private static final String NOT_ANSWERED = "outcome-unknown";

  private final IssuanceObserver next;
  private final Sampling sampling;
  private final StepQueue queue;
  private final InstantSource clock;

  TracedIssuance(IssuanceObserver next, Sampling sampling, StepQueue queue, InstantSource clock) {
    this.next = next;
    this.sampling = sampling;
    this.queue = queue;
    this.clock = clock;
  }

  @Override
  public void observe(Observation observation) {
    next.observe(observation);
    switch (observation) {
      case CallEnded call -> sent(call);
      case EntriesPublished published -> published(published);
      case ClaimsRecorded recorded -> recorded(recorded);
      default -> {}
    }
  }

  /** The claims that got a slot, and those whose outcome is unknown. */
  private void sent(CallEnded call) {
    var claims = new ArrayList<Part>();
    for (int i = 0; i < call.users().size(); i++) {
      var user = call.users().get(i);
      if (!sampling.includes(call.couponId(), user)) {
        continue;
      }
      if (!call.answered()) {
        claims.add(new Part(call.couponId(), user, null, Map.of(Tags.OUTCOME, NOT_ANSWERED)));
      } else if (!call.outcomes().isEmpty()) {
        slot(call.outcomes().get(i))
            .ifPresent(slot ->
                claims.add(new Part(call.couponId(), user, null, Map.of(Tags.SLOT, number(slot)))));
      }
    }
    Map<String, Object> tags =
        Map.of(
            Tags.COUPON, call.couponId().value(), Tags.CLAIMS, Long.valueOf(call.users().size()));
    add(Stage.COMMIT, claims, tags, call.took());
  }

  private static Optional<Slot> slot(ClaimOutcome outcome) {
    return switch (outcome) {
      case ClaimOutcome.Accepted(Slot slot) -> Optional.of(slot);
      case ClaimOutcome.Issued(Slot slot) -> Optional.of(slot);
      case ClaimOutcome.AlreadyIssued _,
          ClaimOutcome.Refusal _,
          ClaimOutcome.Withheld _,
          ClaimOutcome.Busy _,
          ClaimOutcome.Repeat _ ->
          Optional.empty();
    };
  }

  private void published(EntriesPublished published) {
    var claims = new ArrayList<Part>();
    for (var entry : published.entries()) {
      for (var claim : entry.claims()) {
        if (sampling.includes(entry.couponId(), claim.userId())) {
          var reference = entry.reference();
          Map<String, Object> tags =
              Map.of(
                  Tags.SLOT, number(claim.slot()),
                  Tags.PARTITION, Long.valueOf(reference.partition().number()),
                  Tags.EPOCH, reference.epoch().number(),
                  Tags.ENTRY, reference.entryId(),
                  Tags.ACCEPTED_AT, entry.acceptedAt().toString());
          claims.add(new Part(entry.couponId(), claim.userId(), null, tags));
        }
      }
    }
    Map<String, Object> tags =
        Map.of(
            Tags.ENTRIES,
            Long.valueOf(published.entries().size()),
            Tags.AGAIN,
            Boolean.toString(published.again()));
    add(Stage.PUBLISH, claims, tags, published.took());
  }

  private void recorded(ClaimsRecorded recorded) {
    var claims = new ArrayList<Part>();
    for (int i = 0; i < recorded.claims().size(); i++) {
      var claim = recorded.claims().get(i);
      if (sampling.includes(claim.couponId(), claim.userId())) {
        var tags = new HashMap<String, Object>();
        tags.put(Tags.SLOT, number(claim.slot()));
        tags.put(Tags.EPOCH, claim.epoch().number());
        tags.put(Tags.OUTCOME, name(recorded.outcomes().get(i)));
        claims.add(new Part(claim.couponId(), claim.userId(), claim.identity().id(), tags));
      }
    }
    add(
        Stage.RECORD,
        claims,
        Map.of(Tags.CLAIMS, Long.valueOf(recorded.claims().size())),
        recorded.took());
  }

  private static Long number(Slot slot) {
    return Long.valueOf(slot.number());
  }

  /** As in the metrics. */
  private static String name(RecordOutcome outcome) {
    return switch (outcome) {
      case RecordOutcome.Recorded _ -> "recorded";
      case RecordOutcome.AlreadyRecorded _ -> "already-recorded";
      case RecordOutcome.UserHasOtherSlot _ -> "user-has-other-slot";
      case RecordOutcome.SlotTaken _ -> "slot-taken";
      case RecordOutcome.Late _ -> "late";
      case RecordOutcome.UnknownCoupon _ -> "unknown-coupon";
      case RecordOutcome.SlotOutOfRange _ -> "slot-out-of-range";
    };
  }

  private void add(Stage stage, List<Part> claims, Map<String, Object> tags, Duration took) {
    if (claims.isEmpty()) {
      return;
    }
    int kept = Math.min(claims.size(), Batch.MOST_CLAIMS);
    queue.countMissing(claims.size() - kept);
    queue.add(new Batch(stage, claims.subList(0, kept), tags, new Period(clock.instant(), took)));
  }
}
