package io.firstcome.application.waitingroom;

import static java.util.Objects.requireNonNull;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.waitingroom.DrawSeed;
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
 * latest reading of this instance, without a call to another server; only the draw of a room that
 * it does not read, any more or yet, is looked up in the database.
 */
public final class ReadRoom {

  private final CouponCatalog catalog;
  private final RoomReadings readings;
  private final CodeKeys codeKeys;
  private final SignedTexts texts;
  private final Draws draws;
  private final PresentedTickets presentedTickets;
  private final InstantSource clock;

  public ReadRoom(
      CouponCatalog catalog,
      RoomReadings readings,
      Draws draws,
      PresentedTickets presentedTickets,
      CodeKeys codeKeys,
      InstantSource clock) {
    this.catalog = catalog;
    this.readings = readings;
    this.codeKeys = codeKeys;
    this.texts = new SignedTexts(codeKeys);
    this.draws = draws;
    this.presentedTickets = presentedTickets;
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
   * @param room the latest terms of the room that this instance knows
   * @param reading the latest one; null if this instance has no current one
   * @param proof of the order; null if it is not drawn, or this instance does not have the coupon's
   *     key
   * @param at the present time by the stock's clock as far as it is known, or else by that of this
   *     instance
   */
  public record View(
      Coupon coupon,
      WaitingRoom room,
      Phase phase,
      @Nullable RoomReading reading,
      @Nullable Proof proof,
      Instant at) {}

  /**
   * With what everybody can check the order of a draw.
   *
   * @param commitment a hash of the seed
   * @param drawn among how many tickets the order was drawn, and the seed; null before the draw
   */
  public record Proof(String commitment, @Nullable Drawn drawn) {}

  /** A draw among the first tickets. */
  public record Drawn(int tickets, DrawSeed seed) {}

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
    var now = now(coupon);
    return new View(
        coupon,
        terms(coupon, now.reading()),
        now.phase(),
        readings.current(coupon.id()).orElse(null),
        proof(coupon, now.reading(), now.at()),
        now.at());
  }

  /** What the memory of this instance knows. */
  private record Now(Phase phase, @Nullable RoomReading reading, Instant at) {}

  private Now now(Coupon coupon) {
    var latest = readings.latest(coupon.id()).orElse(null);
    var reading = latest == null ? null : latest.reading();
    var at = latest == null ? clock.instant() : latest.now();
    return new Now(phase(coupon, reading, at), reading, at);
  }

  private @Nullable Proof proof(Coupon coupon, @Nullable RoomReading reading, Instant at) {
    var room = requireNonNull(coupon.definition().waitingRoom());
    if (room.order() != WaitingRoom.Order.DRAW || !codeKeys.isInstalled(coupon.codeKeyVersion())) {
      return null;
    }
    var seed = draws.seed(coupon);
    boolean isOpen = !at.isBefore(coupon.definition().window().opensAt());
    var tickets = isOpen ? draws.drawn(coupon, reading) : null;
    return new Proof(seed.commitment(), tickets == null ? null : new Drawn(tickets, seed));
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
    if (coupon.status() == CouponStatus.PAUSED || isPaused(coupon, reading)) {
      return Phase.PAUSED;
    }
    return at.isBefore(window.opensAt()) ? Phase.JOINING : Phase.SERVING;
  }

  /**
   * The room knows a pause by another instance before the catalog does, and the other way round.
   */
  private static boolean isPaused(Coupon coupon, @Nullable RoomReading reading) {
    return terms(coupon, reading).isPaused();
  }

  /** The latest terms that this instance knows. */
  private static WaitingRoom terms(Coupon coupon, @Nullable RoomReading reading) {
    var defined = requireNonNull(coupon.definition().waitingRoom());
    return reading == null || reading.state().terms().revision() < coupon.revision()
        ? defined
        : reading.state().terms().room().withChallenge(defined.isChallenged());
  }

  /** The standing of a user who presents a ticket. */
  public sealed interface Standing {

    /** There is no such coupon, or it has no waiting room. */
    record NoRoom() implements Standing {}

    /** The text is no ticket of this user and coupon. */
    record InvalidTicket() implements Standing {}

    /** This instance has not read the room recently, or does not have the coupon's key. */
    record Recovering() implements Standing {}

    /** The standing is known. */
    sealed interface Known extends Standing {

      Phase phase();

      Ticket ticket();
    }

    /** The coupon can be claimed no more. */
    record Ended(Phase phase, Ticket ticket) implements Known {}

    /** The user waits. */
    sealed interface Pending extends Known {

      /** How long that takes; null if it cannot be known, as in a pause. */
      @Nullable Estimate estimate();

      Chance chance();
    }

    /** The user waits, and the order is not drawn yet. */
    record WaitingForDraw(Phase phase, Ticket ticket, @Nullable Estimate estimate, Chance chance)
        implements Pending {}

    /**
     * The user waits at a place.
     *
     * @param place in the order in which users are served, from 1
     * @param ahead users who are served before
     */
    record Waiting(
        Phase phase,
        Ticket ticket,
        int place,
        int ahead,
        @Nullable Estimate estimate,
        Chance chance)
        implements Pending {}

    /**
     * It is the user's turn. If the room claims for its users, it has done so; but it cannot if it
     * has lost its data, and then the user can claim like users of other rooms.
     *
     * @param admission with which the user can claim the coupon
     * @param remaining how long it is valid
     */
    record Admitted(Phase phase, Ticket ticket, int place, String admission, Duration remaining)
        implements Known {}

    /** The user was served, and the admission is over: the user can join again. */
    record Missed(Phase phase, Ticket ticket, int place) implements Known {}
  }

  /** How long a user waits, as estimated. */
  public record Estimate(Duration atLeast, Duration atMost) {}

  /** Whether there is a slot for a user who waits. */
  public enum Chance {
    LIKELY,
    UNLIKELY,
    /** No slot is left, though users can return theirs. */
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
    var now = now(coupon);
    if (now.phase() == Phase.ENDED) {
      return new Standing.Ended(now.phase(), ticket);
    }
    return readings
        .current(couponId)
        .map(reading -> standing(coupon, user, ticket, now, reading))
        .orElseGet(Standing.Recovering::new);
  }

  private Standing standing(
      Coupon coupon, UserId user, Ticket ticket, Now now, RoomReading reading) {
    var state = reading.state();
    var phase = now.phase();
    var place = draws.placeOf(ticket.number(), coupon, state);
    present(coupon, user, ticket, place, reading);
    if (place == null) {
      return new Standing.WaitingForDraw(
          phase,
          ticket,
          estimate(coupon, now, state, 1, state.lastTicket()),
          // As of a user whose place is drawn in the middle.
          chance(reading, (state.lastTicket() + 1) / 2));
    }
    var progress = state.progress();
    int ahead = place - state.lastTurn() - 1;
    if (ahead >= 0) {
      return new Standing.Waiting(
          phase,
          ticket,
          place,
          ahead,
          estimate(coupon, now, state, ahead + 1, ahead + 1),
          chance(reading, ahead + 1));
    }
    var remaining = progress.history().remaining(place, progress.number());
    return remaining.isPositive()
        ? new Standing.Admitted(
            phase,
            ticket,
            place,
            texts.ofAdmission(coupon, user, progress.history().end(place)),
            remaining)
        : new Standing.Missed(phase, ticket, place);
  }

  /** A room that claims must know its users. */
  private void present(
      Coupon coupon, UserId user, Ticket ticket, @Nullable Integer place, RoomReading reading) {
    var state = reading.state();
    boolean isPassed = place != null && place <= state.lastTurn();
    if (state.terms().room().mode() == WaitingRoom.Mode.CLAIM
        && !ticket.epoch().equals(reading.epoch())
        && !isPassed) {
      presentedTickets.add(coupon.id(), reading.epoch(), user, ticket);
    }
  }

  /**
   * How long a user waits who is between two positions. The upper bound allows for short
   * interruptions.
   */
  private static @Nullable Estimate estimate(
      Coupon coupon, Now now, RoomState state, int first, int last) {
    int pace = state.terms().room().pace();
    boolean isKnown = now.phase() == Phase.JOINING || now.phase() == Phase.SERVING;
    if (pace == 0 || !isKnown) {
      return null;
    }
    var opensAt = coupon.definition().window().opensAt();
    var opening = now.at().isBefore(opensAt) ? Duration.between(now.at(), opensAt) : Duration.ZERO;
    return new Estimate(
        opening.plus(timeFor(first, pace)),
        opening.plus(timeFor(last, pace)).multipliedBy(5).dividedBy(4).plusSeconds(5));
  }

  private static Duration timeFor(int places, int pace) {
    return Duration.ofMillis(1_000L * places / pace);
  }

  /**
   * Whether a slot will probably be left. Users who are served need not claim: of those whose
   * admission is valid and of those before the position, the share is expected to claim that has
   * claimed before.
   */
  private static Chance chance(RoomReading reading, int position) {
    var stock = reading.stock();
    if (stock.isAllocated() && stock.free() == 0) {
      return Chance.GONE;
    }
    int turns = reading.state().lastTurn();
    int issued = stock.totalQuantity() - stock.free();
    int canClaim = Math.min(Math.max(0, turns - issued), admittedAtMost(reading));
    int earlier = turns - canClaim;
    double share = earlier == 0 ? 1 : Math.clamp((double) issued / earlier, 0.1, 1);
    return (position + canClaim) * share <= stock.free() ? Chance.LIKELY : Chance.UNLIKELY;
  }

  /** Users whose admission can be valid. A room that claims has claimed for all of them. */
  private static int admittedAtMost(RoomReading reading) {
    var room = reading.state().terms().room();
    return switch (room.mode()) {
      case ADMIT ->
          (int)
              Math.min(
                  Integer.MAX_VALUE, room.admissionTime().toSeconds() * room.admissionsPerSecond());
      case CLAIM -> 0;
    };
  }
}
