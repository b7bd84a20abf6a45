package io.firstcome.application.waitingroom;

import static java.util.Objects.requireNonNull;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.waitingroom.RoomReading;
import io.firstcome.domain.waitingroom.RoomState;
import io.firstcome.domain.waitingroom.SignedTexts;
import io.firstcome.domain.waitingroom.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Shows a waiting room to everybody, and to each user their own standing in it. It answers from the
 * latest reading of this instance, without a call to another server.
 */
public final class ReadRoom {

  private final CouponCatalog catalog;
  private final RoomReadings readings;
  private final CodeKeys codeKeys;
  private final SignedTexts texts;
  private final InstantSource clock;

  public ReadRoom(
      CouponCatalog catalog, RoomReadings readings, CodeKeys codeKeys, InstantSource clock) {
    this.catalog = catalog;
    this.readings = readings;
    this.codeKeys = codeKeys;
    this.texts = new SignedTexts(codeKeys);
    this.clock = clock;
  }

  /** Where a waiting room is in its life. */
  public enum Phase {
    /** Users cannot join yet. */
    BEFORE,
    /** Users can join, and the coupon opens later. */
    JOINING,
    /** Users are served. */
    SERVING,
    /** Nobody is served until an operator resumes the room or the coupon. */
    PAUSED,
    /** No slot is left. Users are served again if slots return. */
    SOLD_OUT,
    /** The coupon has ended. */
    ENDED
  }

  /**
   * A room as everybody sees it.
   *
   * @param reading the latest one; null if this instance has none at the moment
   * @param at the time of the reading by the stock's clock, or else that of this instance
   */
  public record View(Coupon coupon, Phase phase, @Nullable RoomReading reading, Instant at) {}

  /**
   * The room of the coupon; empty if there is no such coupon, or it has none.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if this instance does not know
   *     the coupon yet and the database is not reachable
   */
  public Optional<View> read(CouponId couponId) {
    return catalog
        .find(couponId)
        .filter(coupon -> coupon.definition().waitingRoom() != null)
        .map(this::view);
  }

  private View view(Coupon coupon) {
    var reading = readings.latest(coupon.id()).orElse(null);
    var at = reading == null ? clock.instant() : reading.state().progress().number().since();
    return new View(coupon, phase(coupon, reading, at), reading, at);
  }

  private static Phase phase(Coupon coupon, @Nullable RoomReading reading, Instant at) {
    var room = requireNonNull(coupon.definition().waitingRoom());
    var window = coupon.definition().window();
    if (coupon.status() == CouponStatus.CLOSED
        || coupon.status() == CouponStatus.ARCHIVED
        || !at.isBefore(window.closesAt())) {
      return Phase.ENDED;
    }
    if (at.isBefore(room.joinsFrom())) {
      return Phase.BEFORE;
    }
    if (reading != null && reading.stock().isAllocated() && reading.stock().free() == 0) {
      return Phase.SOLD_OUT;
    }
    if (coupon.status() == CouponStatus.PAUSED || room.isPaused()) {
      return Phase.PAUSED;
    }
    return at.isBefore(window.opensAt()) ? Phase.JOINING : Phase.SERVING;
  }

  /** The standing of a user who presents a ticket. */
  public sealed interface Standing {

    /** There is no such coupon, or it has no waiting room. */
    record NoRoom() implements Standing {}

    /** The text is no ticket of this user and coupon. */
    record InvalidTicket() implements Standing {}

    /** This instance has not read the room recently, or does not have the coupon's key. */
    record Recovering() implements Standing {}

    /**
     * The user waits.
     *
     * @param ahead users who are served before
     * @param estimate how long that takes; null in a pause
     */
    record Waiting(Ticket ticket, int place, int ahead, @Nullable Estimate estimate, Chance chance)
        implements Standing {}

    /**
     * It is the user's turn.
     *
     * @param admission with which the user can claim the coupon
     * @param remaining how long it is valid
     */
    record Admitted(Ticket ticket, int place, String admission, Duration remaining)
        implements Standing {}

    /** The user was served, and the admission is over. */
    record Missed(Ticket ticket, int place) implements Standing {}
  }

  /** How long a user waits, as estimated. */
  public record Estimate(Duration atLeast, Duration atMost) {}

  /** Whether there is a slot for a user who waits. */
  public enum Chance {
    LIKELY,
    UNLIKELY,
    /** No slot is left; users can return theirs. */
    GONE
  }

  /**
   * The standing of the user.
   *
   * @param ticketText as the user got it when joining
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if this instance does not know
   *     the coupon yet and the database is not reachable
   */
  public Standing standing(CouponId couponId, UserId user, String ticketText) {
    var coupon = catalog.find(couponId).orElse(null);
    if (coupon == null || coupon.definition().waitingRoom() == null) {
      return new Standing.NoRoom();
    }
    if (!codeKeys.isInstalled(coupon.codeKeyVersion())) {
      return new Standing.Recovering();
    }
    var ticket = texts.ticket(coupon, user, ticketText).orElse(null);
    if (ticket == null) {
      return new Standing.InvalidTicket();
    }
    return readings
        .current(couponId)
        .map(reading -> standing(coupon, user, ticket, reading))
        .orElseGet(Standing.Recovering::new);
  }

  private Standing standing(Coupon coupon, UserId user, Ticket ticket, RoomReading reading) {
    var state = reading.state();
    int place = ticket.number();
    var progress = state.progress();
    int ahead = place - progress.number().served() - 1;
    if (ahead >= 0) {
      return new Standing.Waiting(
          ticket, place, ahead, estimate(state, ahead + 1), chance(reading, ahead + 1));
    }
    var remaining = progress.history().remaining(place, progress.number());
    return remaining.isPositive()
        ? new Standing.Admitted(
            ticket,
            place,
            texts.ofAdmission(coupon, user, progress.history().end(place)),
            remaining)
        : new Standing.Missed(ticket, place);
  }

  /** The upper bound allows for short interruptions. */
  private static @Nullable Estimate estimate(RoomState state, int position) {
    int pace = state.terms().room().pace();
    if (pace == 0) {
      return null;
    }
    var least = Duration.ofMillis(1_000L * position / pace);
    return new Estimate(least, least.multipliedBy(5).dividedBy(4).plusSeconds(5));
  }

  /** Users who are served need not claim: the share of those who did is expected of the others. */
  private static Chance chance(RoomReading reading, int position) {
    var stock = reading.stock();
    if (stock.isAllocated() && stock.free() == 0) {
      return Chance.GONE;
    }
    int served = reading.state().progress().number().served();
    double issued = stock.totalQuantity() - (double) stock.free();
    double share = served == 0 ? 1 : Math.clamp(issued / served, 0.1, 1);
    return position * share <= stock.free() ? Chance.LIKELY : Chance.UNLIKELY;
  }
}
