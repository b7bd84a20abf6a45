package io.firstcome.bootstrap.rest.waitingroom;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.firstcome.application.waitingroom.ReadRoom;
import io.firstcome.application.waitingroom.ReadRoom.Standing;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The standing of a user in a waiting room.
 *
 * @param phase of the room
 * @param state {@code WAITING}, {@code ADMITTED}, {@code MISSED} or {@code ENDED}
 * @param number of the ticket
 * @param place in the order in which users are served; absent before a draw and after the end
 * @param ahead users who are served before; absent before a draw, and if the user is served
 * @param estimatedWait absent if the user is served, or it cannot be estimated
 * @param chance that a slot is left; absent if the user is served
 * @param admission to be sent with the claim; absent unless the user is admitted
 * @param admissionRemaining how long the admission is valid, an ISO 8601 duration
 */
@JsonInclude(Include.NON_NULL)
record StandingJson(
    String phase,
    String state,
    int number,
    @Nullable Integer place,
    @Nullable Integer ahead,
    @Nullable WaitJson estimatedWait,
    @Nullable String chance,
    @Nullable String admission,
    @Nullable String admissionRemaining) {

  /** Between these two ISO 8601 durations. */
  record WaitJson(String atLeast, String atMost) {

    static @Nullable WaitJson of(ReadRoom.@Nullable Estimate estimate) {
      return estimate == null
          ? null
          : new WaitJson(seconds(estimate.atLeast()), seconds(estimate.atMost().plusMillis(999)));
    }
  }

  static StandingJson of(Standing.Known standing) {
    return switch (standing) {
      case Standing.Ended(var phase, var ticket) ->
          new StandingJson(
              phase.name(), "ENDED", ticket.number(), null, null, null, null, null, null);
      case Standing.WaitingForDraw(var phase, var ticket, var wait, var chance) ->
          new StandingJson(
              phase.name(),
              "WAITING",
              ticket.number(),
              null,
              null,
              WaitJson.of(wait),
              chance.name(),
              null,
              null);
      case Standing.Waiting(var phase, var ticket, int place, int ahead, var wait, var chance) ->
          new StandingJson(
              phase.name(),
              "WAITING",
              ticket.number(),
              place,
              ahead,
              WaitJson.of(wait),
              chance.name(),
              null,
              null);
      case Standing.Admitted(var phase, var ticket, int place, var admission, var remaining) ->
          new StandingJson(
              phase.name(),
              "ADMITTED",
              ticket.number(),
              place,
              null,
              null,
              null,
              admission,
              seconds(remaining));
      case Standing.Missed(var phase, var ticket, int place) ->
          new StandingJson(
              phase.name(), "MISSED", ticket.number(), place, null, null, null, null, null);
    };
  }

  private static String seconds(Duration time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
