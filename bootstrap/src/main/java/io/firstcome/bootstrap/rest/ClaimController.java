package io.firstcome.bootstrap.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.ClaimAnswer;
import io.firstcome.application.ClaimCoupon;
import io.firstcome.application.FindClaim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Takes claims, and says what became of them. */
@RestController
@RequestMapping("/api/v1/coupons/{couponId}/claims")
class ClaimController {

  private static final Duration AT_ONCE = Duration.ofSeconds(1);

  private final ClaimCoupon claimCoupon;
  private final FindClaim findClaim;
  private final InstantSource clock;
  private final Duration untilNothingIsUnderWay;
  private final CountedClaims claims;
  private final ClaimReply reply;

  ClaimController(
      ClaimCoupon claimCoupon,
      FindClaim findClaim,
      InstantSource clock,
      ApplicationLimits limits,
      CountedClaims claims,
      ClaimReply reply) {
    this.claims = claims;
    this.reply = reply;
    this.claimCoupon = claimCoupon;
    this.findClaim = findClaim;
    this.clock = clock;
    this.untilNothingIsUnderWay = limits.callTime();
  }

  /** A claim that holds a slot. */
  @JsonInclude(Include.NON_NULL)
  record ClaimJson(
      String outcome,
      String couponId,
      String userCouponId,
      int slot,
      String code,
      @Nullable String state) {

    static ClaimJson of(
        String outcome, UserCouponIdentity identity, Slot slot, @Nullable String state) {
      return new ClaimJson(
          outcome,
          identity.id().couponId().value(),
          identity.id().toString(),
          slot.number(),
          identity.code().value(),
          state);
    }
  }

  @PostMapping
  void claim(
      @PathVariable String couponId,
      @RequestHeader(name = "Prefer", required = false) @Nullable List<String> prefer,
      Caller caller,
      HttpServletRequest request,
      HttpServletResponse response)
      throws InterruptedException, IOException {
    var user = caller.user();
    refuseBody(request);
    var id = CouponIds.parse(couponId);
    var answer = claimCoupon.claim(id, user, Preferences.waitTime(prefer));
    claims.count(answer);
    switch (answer) {
      case ClaimAnswer.Accepted(UserCouponIdentity identity, Slot slot) ->
          reply.write(
              response,
              HttpStatus.ACCEPTED,
              "/api/v1/coupons/" + id + "/claims/me",
              ClaimJson.of("ACCEPTED", identity, slot, "ACCEPTED"));
      case ClaimAnswer.Issued(UserCouponIdentity identity, Slot slot) ->
          reply.write(
              response,
              HttpStatus.CREATED,
              location(identity.id()),
              ClaimJson.of("ISSUED", identity, slot, "ISSUED"));
      case ClaimAnswer.AlreadyIssued(
              UserCouponIdentity identity,
              Slot slot,
              ClaimAnswer.RowState state) ->
          reply.write(
              response,
              HttpStatus.OK,
              location(identity.id()),
              ClaimJson.of("ALREADY_ISSUED", identity, slot, name(state)));
      case ClaimAnswer.Refused(ClaimOutcome outcome) ->
          reply.write(request, response, refusal(outcome));
      case ClaimAnswer.UnknownCoupon() -> throw Problem.unknownCoupon();
      case ClaimAnswer.AdmissionRequired() ->
          throw Problem.forbidden(
              "admission-required",
              "Admission required",
              "This coupon has a waiting room, which has not admitted you.");
      case ClaimAnswer.OutcomeUnknown() ->
          throw ProblemAdvice.outcomeUnknown(
              "The claim may have been taken. Ask for its status, or claim again, which is safe.",
              untilNothingIsUnderWay);
      case ClaimAnswer.Overloaded() ->
          reply.write(
              request,
              response,
              Problem.unavailable(
                  "overloaded", "Overloaded", "Too much is going on; nothing happened.", AT_ONCE));
      case ClaimAnswer.Recovering() -> throw ProblemAdvice.recovering();
    }
  }

  private static String location(UserCouponId id) {
    return "/api/v1/me/coupons/" + id;
  }

  private static @Nullable String name(ClaimAnswer.RowState state) {
    return state == ClaimAnswer.RowState.NOT_KNOWN ? null : state.name();
  }

  /** A claim has no body: whoever sends one means something that this call does not do. */
  private static void refuseBody(HttpServletRequest request) throws IOException {
    boolean chunked = request.getHeader("Transfer-Encoding") != null;
    if (request.getContentLengthLong() > 0 || (chunked && request.getInputStream().read() >= 0)) {
      throw Problem.malformed("A claim has no body; the user is the caller.");
    }
  }

  private Problem refusal(ClaimOutcome outcome) {
    return switch (outcome) {
      case ClaimOutcome.SoldOut() ->
          Problem.conflict("sold-out", "Sold out", "All pieces are given away.");
      case ClaimOutcome.NotOpen(Instant opensAt) ->
          Problem.conflict("not-open", "Not open yet", "The coupon can be claimed later.")
              .with("opensAt", opensAt.toString())
              .retryAfter(Duration.between(clock.instant(), opensAt));
      case ClaimOutcome.Closed() ->
          Problem.conflict("closed", "Closed", "The coupon can no longer be claimed.");
      case ClaimOutcome.Paused() ->
          Problem.conflict("paused", "Paused", "The coupon cannot be claimed at the moment.");
      case ClaimOutcome.Returned() ->
          Problem.conflict(
              "returned", "Returned", "You had this coupon; it cannot be claimed again.");
      case ClaimOutcome.Rejected() -> rejected();
      case ClaimOutcome.Accepted _,
          ClaimOutcome.Issued _,
          ClaimOutcome.AlreadyIssued _,
          ClaimOutcome.Busy _ ->
          throw new IllegalStateException("not a refusal: " + outcome);
    };
  }

  private static Problem rejected() {
    return Problem.conflict(
        "rejected",
        "Rejected",
        "Your claim was accepted, then lost its slot in a failure, and none was left.");
  }

  @GetMapping("/me")
  UserCouponJson status(@PathVariable String couponId, Caller caller) {
    var user = caller.user();
    return switch (findClaim.find(CouponIds.parse(couponId), user)) {
      case FindClaim.Result.Recorded(UserCoupon row) -> UserCouponJson.of(row);
      case FindClaim.Result.Accepted(UserCouponIdentity identity, Slot slot) ->
          UserCouponJson.accepted(identity, slot);
      case FindClaim.Result.Rejected() -> UserCouponJson.withoutSlot("REJECTED", couponId);
      case FindClaim.Result.Returned() -> UserCouponJson.withoutSlot("RETURNED", couponId);
      case FindClaim.Result.None() ->
          throw Problem.notFound("no-claim", "No claim", "You have no claim of this coupon.");
      case FindClaim.Result.UnknownCoupon() -> throw Problem.unknownCoupon();
    };
  }
}
