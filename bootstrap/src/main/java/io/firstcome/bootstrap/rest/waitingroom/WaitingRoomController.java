package io.firstcome.bootstrap.rest.waitingroom;

import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.waitingroom.JoinRoom;
import io.firstcome.application.waitingroom.ReadChallenge;
import io.firstcome.application.waitingroom.ReadRoom;
import io.firstcome.application.waitingroom.ReadRoom.Standing;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemAdvice;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.claim.RefusalProblems;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.NoBody;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.bootstrap.wiring.WithRedis;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.waitingroom.Ticket;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The waiting room of a coupon: everybody reads it, and customers join it. */
@RestController
@WithRedis
@RequestMapping("/api/v1/coupons/{couponId}/waiting-room")
class WaitingRoomController {

  /** The request header with the user's ticket. */
  private static final String TICKET = "X-Ticket";

  /** The request header with the solution of a challenge. */
  private static final String SOLUTION = "X-Solution";

  private static final Duration SOON = Duration.ofSeconds(1);

  private final RoomDocuments documents;
  private final JoinRoom joinRoom;
  private final ReadChallenge readChallenge;
  private final ReadRoom readRoom;
  private final StandingStreams streams;
  private final InstantSource clock;
  private final Duration retryAfterUnknown;

  WaitingRoomController(
      RoomDocuments documents,
      JoinRoom joinRoom,
      ReadChallenge readChallenge,
      ReadRoom readRoom,
      StandingStreams streams,
      InstantSource clock,
      ApplicationLimits limits) {
    this.documents = documents;
    this.joinRoom = joinRoom;
    this.readChallenge = readChallenge;
    this.readRoom = readRoom;
    this.streams = streams;
    this.clock = clock;
    this.retryAfterUnknown = limits.claims().callTime();
  }

  @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
  void room(@PathVariable String couponId, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    var id = CouponIds.parse(couponId);
    documents.find(id).orElseThrow(WaitingRoomController::noRoom).write(request, response);
  }

  /** The ticket, which the user presents later. */
  record JoinedJson(String couponId, int number, String ticket) {}

  @PostMapping
  ResponseEntity<JoinedJson> join(
      @PathVariable String couponId,
      @RequestHeader(name = SOLUTION, required = false) @Nullable String solution,
      HttpServletRequest request,
      Caller caller)
      throws IOException {
    var user = caller.user();
    NoBody.require(request, "A request to join must not have a body; the user is the caller.");
    var id = CouponIds.parse(couponId);
    JoinRoom.Answer answer;
    try {
      answer = joinRoom.join(id, user, solution);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer = new JoinRoom.Answer.OutcomeUnknown();
    }
    return switch (answer) {
      case JoinRoom.Answer.Joined(Ticket ticket, String text) ->
          ResponseEntity.ok()
              .location(URI.create("/api/v1/coupons/" + id + "/waiting-room/me"))
              .body(new JoinedJson(id.value(), ticket.number(), text));
      case JoinRoom.Answer.HasClaimed() ->
          throw Problem.of(ProblemType.HAS_CLAIM, "You have claimed this coupon. Read your claim.");
      case JoinRoom.Answer.Refused(ClaimOutcome.NotOpen(Instant joinsFrom)) ->
          throw Problem.of(ProblemType.NOT_OPEN, "The waiting room can be joined later.")
              .with("joinsFrom", joinsFrom.toString())
              .retryAfter(Duration.between(clock.instant(), joinsFrom));
      case JoinRoom.Answer.Refused(var refusal) ->
          throw RefusalProblems.of(refusal, clock.instant());
      case JoinRoom.Answer.UnknownCoupon() -> throw Problem.unknownCoupon();
      case JoinRoom.Answer.NoWaitingRoom() -> throw noRoom();
      case JoinRoom.Answer.ChallengeRequired() ->
          throw Problem.of(
              ProblemType.CHALLENGE_REQUIRED,
              "The header X-Solution is missing. Read a challenge and join with its solution.");
      case JoinRoom.Answer.InvalidSolution() ->
          throw Problem.of(
              ProblemType.INVALID_SOLUTION,
              "The solution is wrong, has expired, or is of another user or coupon. Read a new"
                  + " challenge.");
      case JoinRoom.Answer.Overloaded() -> throw Problem.overloaded(SOON);
      case JoinRoom.Answer.Recovering() -> throw ProblemAdvice.recovering();
      case JoinRoom.Answer.OutcomeUnknown() ->
          throw ProblemAdvice.outcomeUnknown(
              "You may have joined the room. Join again: you get the same ticket.",
              retryAfterUnknown);
    };
  }

  @GetMapping(path = "/challenge", produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<String> challenge(@PathVariable String couponId, Caller caller) {
    var user = caller.user();
    return switch (readChallenge.challenge(CouponIds.parse(couponId), user)) {
      case ReadChallenge.Answer.Challenge(String json) ->
          ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(json);
      case ReadChallenge.Answer.NoRoom() -> throw noRoom();
      case ReadChallenge.Answer.Recovering() -> throw ProblemAdvice.recovering();
    };
  }

  @GetMapping("/me")
  StandingJson me(
      @PathVariable String couponId,
      @RequestHeader(name = TICKET, required = false) @Nullable String ticket,
      Caller caller) {
    return StandingJson.of(known(CouponIds.parse(couponId), caller, ticket));
  }

  @GetMapping("/me/events")
  void events(
      @PathVariable String couponId,
      @RequestHeader(name = TICKET, required = false) @Nullable String ticket,
      Caller caller,
      HttpServletRequest request,
      HttpServletResponse response) {
    var id = CouponIds.parse(couponId);
    var user = caller.user();
    var first = known(id, caller, ticket);
    if (HttpMethod.HEAD.matches(request.getMethod())) {
      response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
      return;
    }
    streams.send(
        user, first, () -> readRoom.standing(id, user, String.valueOf(ticket)), request, response);
  }

  private Standing.Known known(CouponId couponId, Caller caller, @Nullable String ticket) {
    var user = caller.user();
    if (ticket == null) {
      throw Problem.malformed(
          "The header X-Ticket is missing. Join the room again: you get the same ticket.");
    }
    return switch (readRoom.standing(couponId, user, ticket)) {
      case Standing.Known known -> known;
      case Standing.NoRoom() -> throw noRoom();
      case Standing.InvalidTicket() ->
          throw Problem.of(
              ProblemType.INVALID_TICKET, "The ticket is not one of you for this waiting room.");
      case Standing.Recovering() -> throw ProblemAdvice.recovering();
    };
  }

  private static Problem noRoom() {
    return Problem.of(
        ProblemType.NO_WAITING_ROOM, "There is no coupon with this id that has a waiting room.");
  }
}
