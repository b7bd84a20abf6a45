package io.firstcome.bootstrap.metric;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.webhook.DeliveryOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics and log lines of the way of a claim from the hand-off log to its row. */
final class MeteredRecording {

  private static final Logger LOG = LoggerFactory.getLogger("io.firstcome");

  private final MeterRegistry registry;
  private final LogLimit limit;
  private final Counter recorded;
  private final Timer latency;
  private final Counter adopted;
  private final Counter rejected;
  private final Counter done;
  private final Counter webhooksDisabled;

  MeteredRecording(MeterRegistry registry, LogLimit limit) {
    this.registry = registry;
    this.limit = limit;
    recorded = Metric.RECORDED.counter(registry);
    latency = Metric.RECORD_LATENCY.timer(registry);
    adopted = lateClaims("adopted");
    rejected = lateClaims("rejected");
    done = lateClaims("done");
    webhooksDisabled = Metric.WEBHOOKS_DISABLED.counter(registry);
  }

  void observe(RecordingObservation observation) {
    switch (observation) {
      case RecordingObservation.EntriesPublished(var entries, _, boolean again) ->
          Metric.HANDOFF_PUBLISHED
              .counter(registry, Boolean.toString(again))
              .increment(entries.size());
      case RecordingObservation.EntryUnreadable unreadable -> entryUnreadable(unreadable);
      case RecordingObservation.ClaimsRecorded(var claims, var outcomes, _) -> {
        for (int i = 0; i < claims.size(); i++) {
          claimRecorded(claims.get(i).couponId(), outcomes.get(i));
        }
      }
      case RecordingObservation.EntryStored(var sinceAccepted) -> latency.record(sinceAccepted);
      case RecordingObservation.ImplausibleAcceptanceTime time -> implausibleTime(time);
      case RecordingObservation.RecordingPaused(Exception cause) -> {
        if (limit.isDue("recording")) {
          LOG.warn("recording is paused: {}", LogLimit.message(cause));
        }
      }
      case RecordingObservation.CouponLocked(CouponId couponId) -> couponLocked(couponId);
      case RecordingObservation.ClaimSetAside(CouponId couponId, String reason) -> {
        Metric.SET_ASIDE.counter(registry).increment();
        LOG.error("a claim of {} became a dead letter: {}", couponId, reason);
      }
      case RecordingObservation.MessageSetAside(String reason) -> messageSetAside(reason);
      case RecordingObservation.DeadLetterReplayed(var id, boolean isRecorded) -> {
        Metric.DEAD_LETTERS_REPLAYED.counter(registry, Boolean.toString(isRecorded)).increment();
        LOG.info("dead letter {} was retried and {}", id, isRecorded ? "is recorded" : "is kept");
      }
      case RecordingObservation.LateClaimsSettled settled -> lateClaimsSettled(settled);
      case RecordingObservation.EventsPublished(int events) ->
          Metric.EVENTS_PUBLISHED.counter(registry).increment(events);
      case RecordingObservation.WebhookAttempted(var outcome) ->
          Metric.WEBHOOK_ATTEMPTS.counter(registry, result(outcome)).increment();
      case RecordingObservation.WebhookDisabled(var id) -> {
        webhooksDisabled.increment();
        LOG.error("webhook {} is disabled: its receiver accepts no events", id);
      }
    }
  }

  private static String result(DeliveryOutcome outcome) {
    return switch (outcome) {
      case DeliveryOutcome.Delivered _ -> "delivered";
      case DeliveryOutcome.Failed _ -> "failed";
      case DeliveryOutcome.GivenUp _ -> "given-up";
    };
  }

  private void entryUnreadable(RecordingObservation.EntryUnreadable unreadable) {
    Metric.HANDOFF_UNREADABLE.counter(registry).increment();
    if (limit.isDue("unreadable in " + unreadable.partition())) {
      LOG.error(
          "log entry {} of partition {} is unreadable and is kept: {}",
          unreadable.entryId(),
          unreadable.partition(),
          unreadable.reason());
    }
  }

  private void claimRecorded(CouponId couponId, RecordOutcome outcome) {
    switch (outcome) {
      case RecordOutcome.Recorded _ -> recorded.increment();
      case RecordOutcome.AlreadyRecorded _ -> conflict("already-recorded").increment();
      case RecordOutcome.UserHasOtherSlot _ -> conflict("user-has-other-slot").increment();
      case RecordOutcome.Late _ -> conflict("late").increment();
      case RecordOutcome.UnknownCoupon _ -> conflict("unknown-coupon").increment();
      case RecordOutcome.SlotOutOfRange _ -> conflict("slot-out-of-range").increment();
      case RecordOutcome.SlotTaken _ -> {
        conflict("slot-taken").increment();
        LOG.error("a slot of {} was allocated twice; its partition is being recovered", couponId);
      }
    }
  }

  private Counter conflict(String kind) {
    return Metric.RECORD_CONFLICTS.counter(registry, kind);
  }

  private void implausibleTime(RecordingObservation.ImplausibleAcceptanceTime time) {
    Metric.ACCEPTED_AT_IMPLAUSIBLE_TIME.counter(registry).increment();
    if (limit.isDue("accepted at")) {
      LOG.warn(
          "a claim of {} was accepted at an implausible time by Redis' clock, off by {} s; its row"
              + " has the nearest plausible time",
          time.couponId(),
          time.ahead().toSeconds());
    }
  }

  private void couponLocked(CouponId couponId) {
    Metric.COUPONS_LOCKED.counter(registry).increment();
    if (limit.isDue("lock of " + couponId)) {
      LOG.warn(
          "rows of {} are locked in the database: its claims are kept, and recorded after the lock"
              + " is released",
          couponId);
    }
  }

  private void messageSetAside(String reason) {
    Metric.MESSAGES_SET_ASIDE.counter(registry).increment();
    if (limit.isDue("set aside " + reason)) {
      LOG.error("a claim message became a dead letter: {}", reason);
    }
  }

  private void lateClaimsSettled(RecordingObservation.LateClaimsSettled settled) {
    adopted.increment(settled.adopted());
    rejected.increment(settled.rejected());
    done.increment(settled.done());
    LOG.info(
        "late claims of {}: {} adopted, {} rejected, {} already recorded",
        settled.couponId(),
        settled.adopted(),
        settled.rejected(),
        settled.done());
  }

  private Counter lateClaims(String end) {
    return Metric.LATE_CLAIMS.counter(registry, end);
  }
}
