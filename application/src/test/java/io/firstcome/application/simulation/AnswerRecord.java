package io.firstcome.application.simulation;

import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.claim.FindClaim;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The requests of customers with their answers, and the claims whose copies were destroyed. It is
 * kept outside the simulated system; the invariants are checked against it and the database.
 */
final class AnswerRecord {

  private static final int FEW = 30;

  private final Schedule schedule;
  private final List<Request> requests = new ArrayList<>();
  private final Map<Owner, Integer> destroyedAt = new HashMap<>();
  private final Set<Owner> slotForgotten = new HashSet<>();
  private final Set<Owner> endForgotten = new HashSet<>();
  private final Set<Owner> acceptedByWrongClock = new HashSet<>();
  private final Map<Owner, NavigableSet<Integer>> leftOpen = new HashMap<>();
  private final List<String> alarms = new ArrayList<>();
  private final Map<UserId, Integer> erasureRequestedAt = new HashMap<>();
  private int databaseSetBackAt = -1;

  private boolean dataDestroyed;

  AnswerRecord(Schedule schedule) {
    this.schedule = schedule;
  }

  /** A user's claim of a coupon. */
  record Owner(CouponId couponId, UserId userId) {}

  /** The kind of a request. */
  enum Kind {
    CLAIM,
    STATUS,
    GIVE_BACK,
    REVOKE
  }

  /** A request and its answer, which is null before the reply and if the instance died. */
  static final class Request {
    final Kind kind;
    final Owner owner;
    final int askedAt;
    final Instant askedWhen;
    int answeredAt = Integer.MAX_VALUE;
    Instant endedWhen;
    @Nullable Object answer;

    Request(Kind kind, Owner owner, int askedAt, Instant askedWhen) {
      this.kind = kind;
      this.owner = owner;
      this.askedAt = askedAt;
      this.askedWhen = askedWhen;
      endedWhen = askedWhen;
    }

    @Override
    public String toString() {
      return "%s of %s asked at %d answered at %d with %s"
          .formatted(kind, owner, askedAt, answeredAt, answer);
    }
  }

  Request asked(Kind kind, Owner owner, Instant now) {
    var request = new Request(kind, owner, schedule.step(), now);
    requests.add(request);
    schedule.note(owner.userId().value(), "asks " + kind, owner.couponId());
    return request;
  }

  /** The instance has ended the request, with or without an answer. */
  void ended(Request request, Instant now) {
    request.endedWhen = now;
  }

  void answered(Request request, Object answer) {
    request.answer = answer;
    request.answeredAt = schedule.step();
    schedule.note(request.owner.userId().value(), "is answered " + request.kind, answer);
  }

  /** Whether a claim since that step has an answer that does not ask for a retry. */
  boolean isDefinitelyAnswered(Owner owner, int since) {
    return requests.stream()
        .filter(request -> request.owner.equals(owner) && request.askedAt >= since)
        .anyMatch(request ->
            switch (request.answer) {
              case ClaimAnswer.Overloaded _, ClaimAnswer.Recovering _ -> false;
              case ClaimAnswer _ -> true;
              case null, default -> false;
            });
  }

  /** Owners among the latest requests that have an unknown outcome. */
  List<Owner> leftInDoubt() {
    return requests.reversed().stream()
        .limit(FEW)
        .filter(request -> request.answer instanceof ClaimAnswer.OutcomeUnknown)
        .map(request -> request.owner)
        .toList();
  }

  /** Owners who got the answer that they have a user coupon or an accepted claim. */
  List<Owner> answeredWithASlot() {
    return requests.stream()
        .filter(request ->
            switch (request.answer) {
              case ClaimAnswer.Accepted _, ClaimAnswer.AlreadyClaimed _ -> true;
              case FindClaim.Result.Recorded(UserCoupon.Issued _) -> true;
              case null, default -> false;
            })
        .map(request -> request.owner)
        .toList();
  }

  /** Whether the return or revocation of a user coupon of the coupon was requested. */
  boolean mayHaveGoneBack(CouponId couponId) {
    return requests.stream()
        .filter(request -> request.owner.couponId().equals(couponId))
        .anyMatch(request -> request.kind == Kind.GIVE_BACK || request.kind == Kind.REVOKE);
  }

  List<Request> requests() {
    return requests;
  }

  void lastCopyDestroyed(Owner owner) {
    schedule.note("record", "last copy destroyed", owner);
    destroyedAt.put(owner, schedule.step());
    slotForgotten.add(owner);
  }

  /** No server has the slot of the claim any more, or one that had it has lost it. */
  void slotForgotten(Owner owner) {
    slotForgotten.add(owner);
  }

  /** No server has the return or revocation of the user coupon any more. */
  void endForgotten(Owner owner) {
    endForgotten.add(owner);
  }

  boolean isEndForgotten(Owner owner) {
    return endForgotten.contains(owner);
  }

  /** The stock accepted the claim by a clock that had been wrong for long. */
  void acceptedByWrongClock(Owner owner) {
    acceptedByWrongClock.add(owner);
  }

  boolean isAcceptedByWrongClock(Owner owner) {
    return acceptedByWrongClock.contains(owner);
  }

  /** A call with the claim, or its reply, was lost or is late. */
  void leftOpen(Owner owner) {
    leftOpen.computeIfAbsent(owner, absent -> new TreeSet<>()).add(schedule.step());
  }

  /** Whether a call with the claim was lost or late while the request was in flight. */
  boolean isLeftOpen(Request request) {
    var steps = leftOpen.getOrDefault(request.owner, new TreeSet<>());
    return !steps.subSet(request.askedAt, true, request.answeredAt, true).isEmpty();
  }

  void databaseWasSetBack() {
    databaseSetBackAt = schedule.step();
  }

  /** A server has lost data: from now on alarms may be justified. */
  void dataDestroyed() {
    dataDestroyed = true;
  }

  void alarm(String alarm) {
    schedule.note("ALARM", alarm, "");
    if (!dataDestroyed) {
      alarms.add(alarm);
    }
  }

  /** Alarms that were raised before any data was lost. */
  List<String> falseAlarms() {
    return alarms;
  }

  /** An operator requests the erasure of the user. */
  void erasureRequested(UserId user) {
    erasureRequestedAt.putIfAbsent(user, schedule.step());
  }

  /** Whether the user may be erased at that step. */
  boolean mayBeErased(UserId user, int step) {
    return erasureRequestedAt.getOrDefault(user, Integer.MAX_VALUE) <= step;
  }

  /** The database may have lost rows of erased users, of which the stock has only pseudonyms. */
  void erasedAreForgotten(CouponId couponId) {
    for (var user : erasureRequestedAt.keySet()) {
      var owner = new Owner(couponId, user);
      lastCopyDestroyed(owner);
      endForgotten(owner);
    }
  }

  boolean isDestroyedSince(Owner owner, int step) {
    return destroyedAt.getOrDefault(owner, -1) >= step;
  }

  boolean isDestroyed(CouponId couponId) {
    return destroyedAt.keySet().stream().anyMatch(owner -> owner.couponId().equals(couponId));
  }

  boolean mayHaveMoved(Owner owner) {
    return slotForgotten.contains(owner);
  }

  boolean mayHaveMoved(CouponId couponId) {
    return slotForgotten.stream().anyMatch(owner -> owner.couponId().equals(couponId));
  }

  boolean isDatabaseSetBackSince(int step) {
    return databaseSetBackAt >= step;
  }

  /** Whether no server has ever lost data. */
  boolean isNothingForgotten() {
    return !dataDestroyed;
  }

  int destroyed() {
    return destroyedAt.size();
  }
}
