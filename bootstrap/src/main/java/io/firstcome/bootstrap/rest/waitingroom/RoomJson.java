package io.firstcome.bootstrap.rest.waitingroom;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.firstcome.application.waitingroom.ReadRoom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A waiting room as everybody sees it.
 *
 * @param serving the last place whose turn has come; absent if it is not known at the moment
 * @param joined the last ticket that was given; absent if it is not known at the moment
 * @param rate places that are served in a second; 0 in a pause of the room
 * @param issued slots that cannot be claimed; absent if it is not known at the moment
 * @param total slots of the coupon
 * @param challenge whether users must pass a challenge before they join
 * @param draw with what everybody can check the order; absent if it is not drawn
 * @param serverTime when the document was made
 */
@JsonInclude(Include.NON_NULL)
record RoomJson(
    String couponId,
    String phase,
    String mode,
    String order,
    String joinsFrom,
    String opensAt,
    String closesAt,
    @Nullable Integer serving,
    @Nullable Integer joined,
    int rate,
    @Nullable Integer issued,
    int total,
    boolean challenge,
    @Nullable DrawJson draw,
    String serverTime) {

  private static final int SAME_TAG_SECONDS = 10;

  /**
   * A draw.
   *
   * @param commitment SHA-256 of the bytes of the seed, in hexadecimal
   * @param tickets among how many tickets the order was drawn; absent before the draw
   * @param seed in hexadecimal; absent before the draw
   */
  @JsonInclude(Include.NON_NULL)
  record DrawJson(String commitment, @Nullable Integer tickets, @Nullable String seed) {

    static @Nullable DrawJson of(ReadRoom.@Nullable Proof proof) {
      if (proof == null) {
        return null;
      }
      var drawn = proof.drawn();
      return drawn == null
          ? new DrawJson(proof.commitment(), null, null)
          : new DrawJson(proof.commitment(), drawn.tickets(), drawn.seed().value());
    }
  }

  static RoomJson of(ReadRoom.View view) {
    var definition = view.coupon().definition();
    var reading = view.reading();
    var room = view.room();
    var window = definition.window();
    return new RoomJson(
        view.coupon().id().value(),
        view.phase().name(),
        room.mode().name(),
        room.order().name(),
        room.joinsFrom().toString(),
        window.opensAt().toString(),
        window.closesAt().toString(),
        reading == null ? null : reading.state().lastTurn(),
        reading == null ? null : reading.state().lastTicket(),
        room.pace(),
        reading == null ? null : reading.stock().totalQuantity() - reading.stock().free(),
        reading == null ? definition.totalQuantity() : reading.stock().totalQuantity(),
        room.isChallenged(),
        DrawJson.of(view.proof()),
        view.at().truncatedTo(ChronoUnit.MILLIS).toString());
  }

  /**
   * The same with the time of the last ten seconds, for the entity tag: a client that asks with the
   * tag of an older document must not count down by its time.
   */
  RoomJson withCoarseServerTime() {
    var time = Instant.parse(serverTime);
    return new RoomJson(
        couponId,
        phase,
        mode,
        order,
        joinsFrom,
        opensAt,
        closesAt,
        serving,
        joined,
        rate,
        issued,
        total,
        challenge,
        draw,
        time.minusSeconds(Math.floorMod(time.getEpochSecond(), SAME_TAG_SECONDS))
            .truncatedTo(ChronoUnit.SECONDS)
            .toString());
  }
}
