package io.firstcome.bootstrap.rest.waitingroom;

import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.waitingroom.JoinRoom;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemAdvice;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.problem.ProblemWriter;
import io.firstcome.bootstrap.rest.claim.RefusalProblems;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponPathMapping;
import io.firstcome.bootstrap.rest.request.NoBody;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.bootstrap.wiring.WithRedis;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.waitingroom.Ticket;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.HttpRequestMethodNotSupportedException;

/**
 * Shows a waiting room to everybody, and lets customers join it. Millions do both in the minutes
 * before a sale, so it bypasses Spring MVC's argument binding and message conversion, as claims do.
 */
@Component
@WithRedis
class RoomHandler implements HttpRequestHandler {

  /** The request header with the solution of a challenge. */
  private static final String SOLUTION = "X-Solution";

  private static final Duration SOON = Duration.ofSeconds(1);

  private final RoomDocuments documents;
  private final JoinRoom joinRoom;
  private final InstantSource clock;
  private final Duration retryAfterUnknown;
  private final ProblemWriter problems;

  RoomHandler(
      RoomDocuments documents,
      JoinRoom joinRoom,
      InstantSource clock,
      ApplicationLimits limits,
      ProblemWriter problems) {
    this.documents = documents;
    this.joinRoom = joinRoom;
    this.clock = clock;
    this.retryAfterUnknown = limits.claims().callTime();
    this.problems = problems;
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws IOException, HttpRequestMethodNotSupportedException {
    var method = request.getMethod();
    switch (method) {
      case "GET", "HEAD" -> show(request, response);
      case "POST" -> join(request, response);
      default ->
          throw new HttpRequestMethodNotSupportedException(method, List.of("GET", "HEAD", "POST"));
    }
  }

  private void show(HttpServletRequest request, HttpServletResponse response) throws IOException {
    var document = documents.find(CouponIds.parse(CouponPathMapping.couponId(request)));
    if (document.isPresent()) {
      document.get().write(request, response);
    } else {
      problems.write(request, response, noRoom());
    }
  }

  private void join(HttpServletRequest request, HttpServletResponse response) throws IOException {
    var user = Caller.current().user();
    NoBody.require(request, "A request to join must not have a body; the user is the caller.");
    var id = CouponIds.parse(CouponPathMapping.couponId(request));
    JoinRoom.Answer answer;
    try {
      answer = joinRoom.join(id, user, request.getHeader(SOLUTION));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer = new JoinRoom.Answer.OutcomeUnknown();
    }
    if (answer instanceof JoinRoom.Answer.Joined(Ticket ticket, String text)) {
      write(response, id, ticket, text);
    } else {
      problems.write(request, response, problem(answer));
    }
  }

  /** Written by hand, for speed. All values are ASCII and need no escaping. */
  private static void write(HttpServletResponse response, CouponId id, Ticket ticket, String text)
      throws IOException {
    var json =
        "{\"couponId\":\""
            + id
            + "\",\"number\":"
            + ticket.number()
            + ",\"ticket\":\""
            + text
            + "\"}";
    byte[] body = json.getBytes(StandardCharsets.US_ASCII);
    response.setHeader(HttpHeaders.LOCATION, "/api/v1/coupons/" + id + "/waiting-room/me");
    response.setStatus(HttpStatus.OK.value());
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  private Problem problem(JoinRoom.Answer answer) {
    return switch (answer) {
      case JoinRoom.Answer.Joined _ -> throw new IllegalStateException("no problem: " + answer);
      case JoinRoom.Answer.HasClaimed() ->
          Problem.of(ProblemType.HAS_CLAIM, "You have claimed this coupon. Read your claim.");
      case JoinRoom.Answer.Refused(ClaimOutcome.NotOpen(Instant joinsFrom)) ->
          Problem.of(ProblemType.NOT_OPEN, "The waiting room can be joined later.")
              .with("joinsFrom", joinsFrom.toString())
              .retryAfter(Duration.between(clock.instant(), joinsFrom));
      case JoinRoom.Answer.Refused(var refusal) -> RefusalProblems.of(refusal, clock.instant());
      case JoinRoom.Answer.UnknownCoupon() -> Problem.unknownCoupon();
      case JoinRoom.Answer.NoWaitingRoom() -> noRoom();
      case JoinRoom.Answer.ChallengeRequired() ->
          Problem.of(
              ProblemType.CHALLENGE_REQUIRED,
              "The header X-Solution is missing. Read a challenge and join with its solution.");
      case JoinRoom.Answer.InvalidSolution() ->
          Problem.of(
              ProblemType.INVALID_SOLUTION,
              "The solution is wrong, has expired, or is of another user or coupon. Read a new"
                  + " challenge.");
      case JoinRoom.Answer.Overloaded() -> Problem.overloaded(SOON);
      case JoinRoom.Answer.Recovering() -> ProblemAdvice.recovering();
      case JoinRoom.Answer.OutcomeUnknown() ->
          ProblemAdvice.outcomeUnknown(
              "You may have joined the room. Join again: you get the same ticket.",
              retryAfterUnknown);
    };
  }

  static Problem noRoom() {
    return Problem.of(
        ProblemType.NO_WAITING_ROOM, "There is no coupon with this id that has a waiting room.");
  }
}
