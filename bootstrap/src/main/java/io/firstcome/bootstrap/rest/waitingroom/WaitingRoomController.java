package io.firstcome.bootstrap.rest.waitingroom;

import io.firstcome.application.waitingroom.ReadChallenge;
import io.firstcome.application.waitingroom.ReadRoom;
import io.firstcome.bootstrap.problem.ProblemAdvice;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.bootstrap.wiring.WithRedis;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Challenges before a customer joins the waiting room of a coupon, and events of the customer's
 * standing. {@link RoomHandler} and {@link StandingHandler} have the calls that are frequent.
 */
@RestController
@WithRedis
@RequestMapping("/api/v1/coupons/{couponId}/waiting-room")
class WaitingRoomController {

  private final ReadChallenge readChallenge;
  private final ReadRoom readRoom;
  private final Standings standings;
  private final StandingStreams streams;

  WaitingRoomController(
      ReadChallenge readChallenge,
      ReadRoom readRoom,
      Standings standings,
      StandingStreams streams) {
    this.readChallenge = readChallenge;
    this.readRoom = readRoom;
    this.standings = standings;
    this.streams = streams;
  }

  @GetMapping(path = "/challenge", produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<String> challenge(@PathVariable String couponId, Caller caller) {
    var user = caller.user();
    return switch (readChallenge.challenge(CouponIds.parse(couponId), user)) {
      case ReadChallenge.Answer.Challenge(String json) ->
          ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(json);
      case ReadChallenge.Answer.NoRoom() -> throw RoomHandler.noRoom();
      case ReadChallenge.Answer.Recovering() -> throw ProblemAdvice.recovering();
    };
  }

  @GetMapping("/me/events")
  void events(
      @PathVariable String couponId,
      @RequestHeader(name = Standings.TICKET, required = false) @Nullable String ticket,
      Caller caller,
      HttpServletRequest request,
      HttpServletResponse response) {
    var id = CouponIds.parse(couponId);
    var user = caller.user();
    var first = standings.known(id, user, ticket);
    if (HttpMethod.HEAD.matches(request.getMethod())) {
      response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
      return;
    }
    streams.send(
        user, first, () -> readRoom.standing(id, user, String.valueOf(ticket)), request, response);
  }
}
