package io.firstcome.application.waitingroom;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.lane.LaneCalls;
import io.firstcome.application.lane.LaneLimits;
import io.firstcome.application.lane.Lanes;
import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.ClaimObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.ChallengeVerifier;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.WaitingRooms;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.waitingroom.JoinOutcome;
import io.firstcome.domain.waitingroom.SignedTexts;
import io.firstcome.domain.waitingroom.Ticket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A customer joins the waiting room of a coupon. */
public final class JoinRoom {

  private final CouponCatalog catalog;
  private final WaitingRooms rooms;
  private final ChallengeVerifier challenges;
  private final KnownEpochs epochs;
  private final CodeKeys codeKeys;
  private final SignedTexts texts;
  private final StockKeeper keeper;
  private final RoomLimits limits;
  private final InstantSource clock;
  private final IssuanceObserver observer;
  private final Lanes<JoinOutcome> lanes;

  /**
   * @param executor as in {@link Lanes}
   */
  public JoinRoom(
      CouponCatalog catalog,
      WaitingRooms rooms,
      ChallengeVerifier challenges,
      KnownEpochs epochs,
      CodeKeys codeKeys,
      StockKeeper keeper,
      RoomLimits limits,
      LaneLimits laneLimits,
      Executor executor,
      InstantSource clock,
      IssuanceObserver observer) {
    this.catalog = catalog;
    this.rooms = rooms;
    this.challenges = challenges;
    this.epochs = epochs;
    this.codeKeys = codeKeys;
    this.texts = new SignedTexts(codeKeys);
    this.keeper = keeper;
    this.limits = limits;
    this.clock = clock;
    this.observer = observer;
    this.lanes = new Lanes<>(Calls::new, laneLimits, executor, observer);
  }

  /** The answer to a user who joins a waiting room. */
  public sealed interface Answer {

    /**
     * The user is in the room, by this call or an earlier one.
     *
     * @param text of the ticket, which the user presents later
     */
    record Joined(Ticket ticket, String text) implements Answer {}

    /** The user has the coupon or an earlier claim of it. */
    record HasClaimed() implements Answer {}

    /** The user cannot join, for the same reason as the user cannot claim. */
    record Refused(ClaimOutcome.Refusal reason) implements Answer {}

    /** There is no such coupon, or it is not published. */
    record UnknownCoupon() implements Answer {}

    /** The coupon has no waiting room. */
    record NoWaitingRoom() implements Answer {}

    /** Users must pass a challenge before they join, and there was no solution. */
    record ChallengeRequired() implements Answer {}

    /** The solution is of no unexpired challenge of this user and coupon. */
    record InvalidSolution() implements Answer {}

    /** Too many users join: nothing happened. */
    record Overloaded() implements Answer {}

    /** The stock is being recovered, or the room is not open yet: nothing happened. */
    record Recovering() implements Answer {}

    /** The user may have joined: the same request gets the same ticket. */
    record OutcomeUnknown() implements Answer {}
  }

  /**
   * Joins the room, and blocks until the answer is known. A user who has joined keeps the ticket.
   *
   * @param solution of a challenge, or null
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if this instance does not know
   *     the coupon yet and the database is not reachable; nothing happened
   * @throws InterruptedException if the thread was interrupted; the user may have joined
   */
  public Answer join(CouponId couponId, UserId user, @Nullable String solution)
      throws InterruptedException {
    var coupon = catalog.find(couponId).orElse(null);
    if (coupon == null) {
      return new Answer.UnknownCoupon();
    }
    var room = coupon.definition().waitingRoom();
    if (room == null) {
      return new Answer.NoWaitingRoom();
    }
    if (coupon.status() == CouponStatus.ARCHIVED) {
      return new Answer.Refused(new ClaimOutcome.Closed());
    }
    if (!codeKeys.isInstalled(coupon.codeKeyVersion())) {
      // Before the stock is called: without the key, a ticket could not be signed.
      observer.observe(new ClaimObservation.CodeKeyMissing(couponId, coupon.codeKeyVersion()));
      return new Answer.Recovering();
    }
    if (room.isChallenged()) {
      if (solution == null) {
        return new Answer.ChallengeRequired();
      }
      if (!challenges.isSolved(coupon, user, solution)) {
        return new Answer.InvalidSolution();
      }
    }
    return answer(coupon, user, lanes.send(coupon, user).toCompletableFuture());
  }

  private Answer answer(Coupon coupon, UserId user, Future<JoinOutcome> outcome)
      throws InterruptedException {
    try {
      return switch (outcome.get()) {
        case JoinOutcome.Joined(Ticket ticket) ->
            new Answer.Joined(ticket, texts.ofTicket(coupon, user, ticket));
        case JoinOutcome.NotJoined(ClaimOutcome reason) -> refused(reason);
      };
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StockUnavailableException unavailable) {
        if (unavailable instanceof StockFencedException) {
          keeper.checkNow();
        }
        return switch (unavailable.effect()) {
          case NONE -> whileNotOpen(coupon);
          case UNKNOWN -> new Answer.OutcomeUnknown();
        };
      }
      throw new IllegalStateException("joining in groups failed", e);
    }
  }

  /** A room is opened shortly before users can join it, and not again after the end. */
  private Answer whileNotOpen(Coupon coupon) {
    var now = clock.instant();
    if (RoomTimes.hasEnded(coupon, now)) {
      return new Answer.Refused(new ClaimOutcome.Closed());
    }
    var joinsFrom = AdvanceRooms.terms(coupon).room().joinsFrom();
    return now.isBefore(joinsFrom)
        ? new Answer.Refused(new ClaimOutcome.NotOpen(joinsFrom))
        : new Answer.Recovering();
  }

  private static Answer refused(ClaimOutcome reason) {
    return switch (reason) {
      case ClaimOutcome.AlreadyIssued _ -> new Answer.HasClaimed();
      case ClaimOutcome.Refusal refusal -> new Answer.Refused(refusal);
      case ClaimOutcome.Busy(), ClaimOutcome.Repeat(), ClaimOutcome.Withheld() ->
          new Answer.Overloaded();
      case ClaimOutcome.Accepted _, ClaimOutcome.Issued _ ->
          throw new IllegalStateException("joining a room gives no slot: " + reason);
    };
  }

  private final class Calls implements LaneCalls<JoinOutcome> {

    private final Coupon coupon;

    Calls(Coupon coupon) {
      this.coupon = coupon;
    }

    @Override
    public int maxInFlight() {
      return rooms.maxCallsInFlight();
    }

    @Override
    public int maxPerCall() {
      return rooms.maxJoinsPerCall();
    }

    @Override
    public CompletionStage<List<JoinOutcome>> send(
        List<UserId> users, boolean withPseudonyms, Duration within) {
      var pseudonyms = withPseudonyms ? codeKeys.pseudonyms(coupon.codeKeyVersion()) : null;
      return rooms.join(
          epochs.address(coupon), limits.maxTickets(), Claim.of(users, pseudonyms), within);
    }

    @Override
    public JoinOutcome busy() {
      return new JoinOutcome.NotJoined(new ClaimOutcome.Busy());
    }

    @Override
    public JoinOutcome repeat() {
      return new JoinOutcome.NotJoined(new ClaimOutcome.Repeat());
    }

    @Override
    public void ended(List<UserId> users, List<JoinOutcome> outcomes, Duration took) {
      observer.observe(
          new ClaimObservation.JoinCallEnded(coupon.id(), users.size(), took, !outcomes.isEmpty()));
    }
  }
}
