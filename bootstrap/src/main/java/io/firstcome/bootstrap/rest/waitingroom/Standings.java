package io.firstcome.bootstrap.rest.waitingroom;

import io.firstcome.application.waitingroom.ReadRoom;
import io.firstcome.application.waitingroom.ReadRoom.Standing;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemAdvice;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.wiring.WithRedis;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Where customers stand, by the tickets in their requests. */
@Component
@WithRedis
class Standings {

  /** The request header with the user's ticket. */
  static final String TICKET = "X-Ticket";

  private final ReadRoom readRoom;

  Standings(ReadRoom readRoom) {
    this.readRoom = readRoom;
  }

  /**
   * The standing of a user.
   *
   * @throws Problem if the ticket is missing or not one of this user and coupon, or the standing is
   *     not known
   */
  Standing.Known known(CouponId couponId, UserId user, @Nullable String ticket) {
    if (ticket == null) {
      throw Problem.malformed(
          "The header X-Ticket is missing. Join the room again: you get the same ticket.");
    }
    return switch (readRoom.standing(couponId, user, ticket)) {
      case Standing.Known known -> known;
      case Standing.NoRoom() -> throw RoomHandler.noRoom();
      case Standing.InvalidTicket() ->
          throw Problem.of(
              ProblemType.INVALID_TICKET,
              "The ticket is not yours, or not one of this waiting room.");
      case Standing.Recovering() -> throw ProblemAdvice.recovering();
    };
  }
}
