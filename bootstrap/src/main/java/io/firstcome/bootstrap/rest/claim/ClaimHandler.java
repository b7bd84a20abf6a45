package io.firstcome.bootstrap.rest.claim;

import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.claim.ClaimCoupon;
import io.firstcome.bootstrap.load.Permit;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemAdvice;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponPathMapping;
import io.firstcome.bootstrap.rest.request.NoBody;
import io.firstcome.bootstrap.rest.request.Preferences;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.bootstrap.security.OwnGateway;
import io.firstcome.bootstrap.trace.ClaimTraces;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.HttpRequestMethodNotSupportedException;

/**
 * Executes claims. They bypass Spring MVC's argument binding, which takes longer than the claim
 * itself, because nearly all requests are claims.
 */
@Component
class ClaimHandler implements HttpRequestHandler {

  /** The request header with an admission of the coupon's waiting room. */
  private static final String ADMISSION = "X-Admission";

  private static final Duration AT_ONCE = Duration.ofSeconds(1);

  private final ClaimCoupon claimCoupon;
  private final InstantSource clock;
  private final Duration retryAfterUnknown;
  private final CountedClaims claims;
  private final ClaimTraces traces;
  private final ClaimReply reply;
  private final OwnGateway own;

  ClaimHandler(
      ClaimCoupon claimCoupon,
      InstantSource clock,
      ApplicationLimits limits,
      CountedClaims claims,
      ClaimTraces traces,
      ClaimReply reply,
      OwnGateway own) {
    this.claimCoupon = claimCoupon;
    this.clock = clock;
    this.retryAfterUnknown = limits.claims().callTime();
    this.claims = claims;
    this.traces = traces;
    this.reply = reply;
    this.own = own;
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws IOException, HttpRequestMethodNotSupportedException {
    var method = request.getMethod();
    if (!HttpMethod.POST.name().equals(method)) {
      throw new HttpRequestMethodNotSupportedException(method, List.of(HttpMethod.POST.name()));
    }
    var user = Caller.current().user();
    NoBody.require(request, "A claim must not have a body; the user is the caller.");
    var id = coupon(request);
    long begin = System.nanoTime();
    var time = Duration.ZERO;
    ClaimAnswer answer;
    try {
      answer = claimCoupon.claim(id, user, request.getHeader(ADMISSION));
      time = since(begin);
      var wait = waitTime(request);
      if (wait.isPositive()) {
        response.setHeader("Preference-Applied", Preferences.applied(wait));
        Permit.release(request);
        answer = claimCoupon.awaitRow(id, user, answer, wait);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer = new ClaimAnswer.OutcomeUnknown();
      time = since(begin);
    }
    claims.count(id, answer, time);
    traces.answered(request, id, user, answer, CountedClaims.outcome(answer));
    reply(request, response, id, answer);
  }

  /**
   * The coupon of the path. The clone of a rehearsal exists only for the synthetic users: the user
   * coupons of others would be removed with it.
   */
  private CouponId coupon(HttpServletRequest request) {
    var id = CouponIds.parse(CouponPathMapping.couponId(request));
    if (id.isOfRehearsal() && !own.hasSent(request)) {
      throw Problem.unknownCoupon();
    }
    return id;
  }

  private static Duration since(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private static Duration waitTime(HttpServletRequest request) {
    return Preferences.waitTime(Collections.list(request.getHeaders("Prefer")));
  }

  private void reply(
      HttpServletRequest request, HttpServletResponse response, CouponId id, ClaimAnswer answer)
      throws IOException {
    switch (answer) {
      case ClaimAnswer.Accepted(UserCouponIdentity identity, Slot slot) ->
          reply.write(
              response,
              HttpStatus.ACCEPTED,
              claimLocation(id),
              new ClaimJson("ACCEPTED", identity, slot, "ACCEPTED"));
      case ClaimAnswer.Issued(UserCouponIdentity identity, Slot slot) ->
          reply.write(
              response,
              HttpStatus.CREATED,
              location(identity.id()),
              new ClaimJson("ISSUED", identity, slot, "ISSUED"));
      case ClaimAnswer.AlreadyClaimed(
              UserCouponIdentity identity,
              Slot slot,
              ClaimAnswer.RowState state) ->
          repeated(response, identity, slot, state);
      case ClaimAnswer.Refused(ClaimOutcome.Refusal refusal) ->
          reply.write(request, response, RefusalProblems.of(refusal, clock.instant()));
      case ClaimAnswer.UnknownCoupon() -> reply.write(request, response, Problem.unknownCoupon());
      case ClaimAnswer.NotAdmitted(ClaimAnswer.NotAdmittedReason reason) ->
          reply.write(request, response, notAdmitted(reason));
      case ClaimAnswer.OutcomeUnknown() ->
          throw ProblemAdvice.outcomeUnknown(
              "The claim may have been accepted. Read its state or claim again; both are safe.",
              retryAfterUnknown);
      case ClaimAnswer.Overloaded() -> reply.write(request, response, Problem.overloaded(AT_ONCE));
      case ClaimAnswer.Recovering() -> throw ProblemAdvice.recovering();
    }
  }

  private void repeated(
      HttpServletResponse response,
      UserCouponIdentity identity,
      Slot slot,
      ClaimAnswer.RowState state)
      throws IOException {
    switch (state) {
      case ACCEPTED, NOT_KNOWN ->
          reply.write(
              response,
              HttpStatus.OK,
              claimLocation(identity.id().couponId()),
              new ClaimJson("ALREADY_ACCEPTED", identity, slot, name(state)));
      case ISSUED, HELD, USED, EXPIRED, RECORDED ->
          reply.write(
              response,
              HttpStatus.OK,
              location(identity.id()),
              new ClaimJson("ALREADY_ISSUED", identity, slot, name(state)));
    }
  }

  private static String claimLocation(CouponId id) {
    return "/api/v1/coupons/" + id + "/claims/me";
  }

  private static String location(UserCouponId id) {
    return "/api/v1/me/coupons/" + id;
  }

  private static @Nullable String name(ClaimAnswer.RowState state) {
    return switch (state) {
      case ACCEPTED, ISSUED, HELD, USED, EXPIRED -> state.name();
      case RECORDED, NOT_KNOWN -> null;
    };
  }

  private static Problem notAdmitted(ClaimAnswer.NotAdmittedReason reason) {
    return switch (reason) {
      case MISSING ->
          Problem.of(
              ProblemType.ADMISSION_REQUIRED,
              "This coupon has a waiting room, and the claim has no admission of it.");
      case INVALID ->
          Problem.of(
              ProblemType.INVALID_ADMISSION,
              "The admission is not yours, or not one of this coupon.");
      case EXPIRED -> Problem.of(ProblemType.ADMISSION_EXPIRED, "Your admission is over.");
    };
  }
}
