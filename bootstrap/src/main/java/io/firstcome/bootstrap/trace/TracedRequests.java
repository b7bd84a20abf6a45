package io.firstcome.bootstrap.trace;

import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.bootstrap.trace.Step.Part;
import io.firstcome.bootstrap.trace.Step.Period;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Adds the requests of sampled claims to the queue. */
final class TracedRequests implements ClaimTraces {

  private static final String TRACEPARENT = "traceparent";

  private final Sampling sampling;
  private final StepQueue queue;
  private final InstantSource clock;

  TracedRequests(Sampling sampling, StepQueue queue, InstantSource clock) {
    this.sampling = sampling;
    this.queue = queue;
    this.clock = clock;
  }

  @Override
  public void answered(
      HttpServletRequest request,
      CouponId couponId,
      UserId user,
      ClaimAnswer answer,
      String outcome) {
    // A coupon that does not exist is a text of the client.
    if (!sampling.includes(couponId, user) || answer instanceof ClaimAnswer.UnknownCoupon) {
      return;
    }
    var held = held(answer);
    var known = held.map(one -> one.identity().id()).orElse(null);
    Map<String, Object> tags =
        held.<Map<String, Object>>map(
                one -> Map.of(Tags.OUTCOME, outcome, Tags.SLOT, Long.valueOf(one.slot().number())))
            .orElseGet(() -> Map.of(Tags.OUTCOME, outcome));
    queue.add(
        new Step.Request(
            new Part(couponId, user, known, tags),
            held.isPresent() && held.get().isNew(),
            request.getHeader(TRACEPARENT),
            new Period(clock.instant(), RequestTimes.since(request))));
  }

  /** What the user has, and whether this request got it. */
  private record Held(UserCouponIdentity identity, Slot slot, boolean isNew) {}

  private static Optional<Held> held(ClaimAnswer answer) {
    return switch (answer) {
      case ClaimAnswer.Accepted(var identity, var slot) ->
          Optional.of(new Held(identity, slot, true));
      case ClaimAnswer.Issued(var identity, var slot) ->
          Optional.of(new Held(identity, slot, true));
      case ClaimAnswer.AlreadyClaimed(var identity, var slot, _) ->
          Optional.of(new Held(identity, slot, false));
      case ClaimAnswer.Refused _,
          ClaimAnswer.UnknownCoupon _,
          ClaimAnswer.NotAdmitted _,
          ClaimAnswer.OutcomeUnknown _,
          ClaimAnswer.Overloaded _,
          ClaimAnswer.Recovering _ ->
          Optional.empty();
    };
  }
}
