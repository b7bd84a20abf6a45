package io.firstcome.application.simulation;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.simulation.AnswerRecord.Kind;
import io.firstcome.application.simulation.AnswerRecord.Owner;
import io.firstcome.application.simulation.AnswerRecord.Request;
import io.firstcome.application.simulation.ReportedClaim.State;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The invariants I1 to I13, checked against the answers to customers and the database.
 *
 * <p>I1 every answer is fulfilled; I2 one row per user, one user per slot, distinct codes; I3 never
 * more rows than slots; I4 no row without a request that may have caused it; I5 one id, code and
 * slot per user; I6 the status of a claim never goes back; I7 sold out means that every slot is
 * issued; I8 without pending work every slot is issued or free; I9 a later request gets a later
 * slot; I11 the database's clock decides validity; I12 no user has more coupons of a campaign than
 * its limit; I13 an erased user has no row from before the request.
 */
final class SimulationInvariants {

  private final SimulatedServers servers;
  private final AnswerRecord record;
  private final List<Coupon> coupons;
  private final List<UserId> users;
  private final StockInvariants ofStock;
  private final TimeInvariants ofTimes;

  SimulationInvariants(
      SimulationSetting setting, SimulatedServers servers, SimulatedFreezes freezes) {
    this.servers = servers;
    record = setting.record();
    coupons = setting.coupons();
    users = setting.users();
    ofStock = new StockInvariants(servers, record);
    ofTimes = new TimeInvariants(setting, servers, freezes);
  }

  void holdAtEveryMoment() {
    if (!servers.isDatabaseAway()) {
      for (var coupon : coupons) {
        int total = coupon.definition().totalQuantity();
        assertThat(holders(coupon))
            .as("I3 rows of %s", coupon.id())
            .hasSizeLessThanOrEqualTo(total);
      }
      ofTimes.holdAtEveryMoment();
    }
  }

  void holdAtRest() {
    assertThat(record.falseAlarms()).as("alarms although no data was lost").isEmpty();
    assertThat(servers.database.deadLetters().page(null, 1)).as("I8 dead letters").isEmpty();
    Set<CouponCode> codes = new HashSet<>();
    for (var coupon : coupons) {
      var rows = rows(coupon);
      rows.values()
          .forEach(
              row -> assertThat(codes.add(row.identity().code())).as("I2 codes distinct").isTrue());
      ofStock.holdAtRest(
          coupon, rows.values().stream().collect(toMap(UserCoupon::userId, row -> row)));
      soldOutMeansAllIssued(coupon, rows.size());
      for (var user : users) {
        var owner = new Owner(coupon.id(), user);
        var requests = requestsOf(owner);
        answersAreFulfilled(owner, requests, rows.get(user));
        unknownOutcomesHaveLostCalls(requests);
        rowHasARequest(owner, requests, rows.get(user));
        oneIdCodeAndSlot(owner, requests, rows.get(user));
        statusNeverGoesBack(owner, requests);
        noClaimIsFinal(owner, requests, rows.get(user));
      }
      slotsInOrder(coupon);
    }
    users.forEach(this::limitOfTheCampaign);
    ofTimes.holdAtRest();
  }

  /**
   * I13: an erased user has no row from before the request.
   *
   * @param erased the step of the request by user
   */
  void holdAfterErasures(Map<UserId, Integer> erased) {
    erased.forEach((user, requestedAt) -> {
      for (var coupon : coupons) {
        var owner = new Owner(coupon.id(), user);
        boolean hadRow =
            requestsOf(owner).stream()
                .filter(request -> request.answeredAt < requestedAt)
                .anyMatch(request -> hasSlot(ReportedClaim.of(request).state()));
        if (hadRow && !record.mayHaveMoved(owner)) {
          assertThat(servers.database.userCoupons().find(coupon.id(), user))
              .as("I13 row of %s", owner)
              .isEmpty();
        }
      }
    });
  }

  void holdWhenEverybodyHasClaimed() {
    holdAtRest();
    for (var coupon : coupons) {
      if (servers.statusOf(coupon) != CouponStatus.ACTIVE) {
        continue;
      }
      long mayHaveOne =
          users.stream()
              .filter(user -> !isRejected(new Owner(coupon.id(), user)))
              .filter(user -> !hasReturned(coupon, user))
              .filter(user -> !isAtLimit(user, coupon))
              .count();
      assertThat((long) holders(coupon).size())
          .as("I3 without pending work, of %s", coupon.id())
          .isEqualTo(Math.min(coupon.definition().totalQuantity(), mayHaveOne));
    }
  }

  /** A claim that was accepted before a loss of data is recorded later, whatever the limit is. */
  private void limitOfTheCampaign(UserId user) {
    var campaign = coupons.getFirst().campaign();
    boolean mayBeExceeded =
        coupons.stream().anyMatch(coupon -> record.mayHaveMoved(new Owner(coupon.id(), user)));
    if (campaign != null && !mayBeExceeded && !record.isDatabaseSetBackSince(0)) {
      assertThat(coupons.stream().filter(coupon -> has(user, coupon)))
          .as("I12 coupons of %s", user)
          .hasSizeLessThanOrEqualTo(campaign.limitPerUser());
    }
  }

  private boolean has(UserId user, Coupon coupon) {
    return ErasedUsers.row(servers.database, new Owner(coupon.id(), user))
        .filter(row -> !row.slotWentBack())
        .isPresent();
  }

  /** Whether the user has no slot of the coupon, and as many others as the campaign allows. */
  private boolean isAtLimit(UserId user, Coupon coupon) {
    var campaign = coupon.campaign();
    return campaign != null
        && !has(user, coupon)
        && coupons.stream().filter(other -> has(user, other)).count() >= campaign.limitPerUser();
  }

  private void soldOutMeansAllIssued(Coupon coupon, int rows) {
    boolean reportedSoldOut =
        record.requests().stream()
            .filter(request -> request.owner.couponId().equals(coupon.id()))
            .anyMatch(request -> ReportedClaim.of(request).state() == State.SOLD_OUT);
    if (reportedSoldOut
        && !record.isDestroyed(coupon.id())
        && !record.mayHaveGoneBack(coupon.id())) {
      assertThat(rows).as("I7 %s", coupon.id()).isEqualTo(coupon.definition().totalQuantity());
    }
  }

  private void answersAreFulfilled(Owner owner, List<Request> requests, @Nullable UserCoupon row) {
    for (var request : requests) {
      boolean kept =
          switch (ReportedClaim.of(request).state()) {
            case ROW -> row != null || isReturned(owner);
            case ACCEPTED, HELD ->
                row != null
                    || isReturned(owner)
                    || (isRejected(owner) && record.mayHaveMoved(owner.couponId()));
            case RETURNED ->
                ReportedClaim.isEnded(row)
                    || isReturned(owner)
                    || record.isEndForgotten(owner)
                    || record.mayBeErased(owner.userId(), request.answeredAt);
            case REJECTED -> isRejected(owner);
            case NO_CLAIM, SOLD_OUT, NOTHING_HAPPENED, NOT_KNOWN -> true;
          };
      if (!kept && !record.isDestroyedSince(owner, request.askedAt)) {
        throw new AssertionError("I1 " + request + " ended with " + row);
      }
    }
  }

  /** A claim that the stock has answered, or refused without effect, has a definite answer. */
  private void unknownOutcomesHaveLostCalls(List<Request> requests) {
    for (var request : requests) {
      if (request.answer instanceof ClaimAnswer.OutcomeUnknown && !record.isLeftOpen(request)) {
        throw new AssertionError(
            "I1 outcome unknown although no call was lost or late: " + request);
      }
    }
  }

  private void rowHasARequest(Owner owner, List<Request> requests, @Nullable UserCoupon row) {
    if (row != null) {
      assertThat(requests)
          .as("I4 requests that may have led to the row of %s", owner)
          .anyMatch(request -> request.kind == Kind.CLAIM && mayHaveHadAnEffect(request));
    }
  }

  private static boolean mayHaveHadAnEffect(Request request) {
    return switch (ReportedClaim.of(request).state()) {
      case ROW, ACCEPTED, HELD, RETURNED, REJECTED, NOT_KNOWN -> true;
      case NO_CLAIM, SOLD_OUT, NOTHING_HAPPENED -> false;
    };
  }

  private void oneIdCodeAndSlot(Owner owner, List<Request> requests, @Nullable UserCoupon row) {
    Set<Object> identities = new HashSet<>();
    Set<Slot> slots = new HashSet<>();
    if (row != null) {
      identities.add(row.identity());
      slots.add(row.slot());
    }
    for (var request : requests) {
      var reported = ReportedClaim.of(request);
      if (reported.identity() != null) {
        identities.add(reported.identity());
      }
      if (reported.slot() != null) {
        slots.add(reported.slot());
      }
    }
    assertThat(identities).as("I5 ids and codes of %s", owner).hasSizeLessThanOrEqualTo(1);
    if (!record.mayHaveMoved(owner)) {
      assertThat(slots).as("I5 slots of %s", owner).hasSizeLessThanOrEqualTo(1);
    }
  }

  private void statusNeverGoesBack(Owner owner, List<Request> requests) {
    for (var earlier : requests) {
      for (var later : requests) {
        if (earlier.answeredAt < later.askedAt
            && goesBack(ReportedClaim.of(earlier).state(), ReportedClaim.of(later).state())
            && !record.mayHaveMoved(owner)
            && !record.mayBeErased(owner.userId(), later.answeredAt)
            && !record.isDatabaseSetBackSince(earlier.askedAt)
            && !isReturnOnlyInLedger(owner)
            && !isLostReturn(owner, ReportedClaim.of(earlier).state())) {
          throw new AssertionError("I6 " + earlier + ", then " + later);
        }
      }
    }
  }

  /**
   * The ledger may have a return that the database has lost; then the row is live until a recovery
   * ends it again.
   */
  private boolean isLostReturn(Owner owner, State earlier) {
    return earlier == State.RETURNED && record.isEndForgotten(owner);
  }

  private static boolean goesBack(State earlier, State later) {
    return switch (earlier) {
      case ROW -> later == State.ACCEPTED || later == State.REJECTED || isNothing(later);
      case ACCEPTED, HELD -> isNothing(later);
      case RETURNED ->
          later == State.ROW
              || later == State.ACCEPTED
              || later == State.REJECTED
              || isNothing(later);
      case REJECTED -> later != State.REJECTED && (hasSlot(later) || isNothing(later));
      case NO_CLAIM, SOLD_OUT, NOTHING_HAPPENED, NOT_KNOWN -> false;
    };
  }

  private static boolean isNothing(State state) {
    return state == State.NO_CLAIM || state == State.SOLD_OUT;
  }

  private static boolean hasSlot(State state) {
    return state == State.ROW || state == State.ACCEPTED || state == State.HELD;
  }

  /** A user who has no claim after the deadlines of all their calls never gets one. */
  private void noClaimIsFinal(Owner owner, List<Request> requests, @Nullable UserCoupon row) {
    for (var request : requests) {
      boolean allOver =
          ReportedClaim.of(request).state() == State.NO_CLAIM
              && requests.stream()
                  .filter(other -> other.kind == Kind.CLAIM)
                  .allMatch(claim ->
                      claim
                          .endedWhen
                          .plus(SimulationSetting.LIMITS.claims().callTime())
                          .isBefore(request.askedWhen));
      if (allOver
          && row != null
          && !record.mayHaveMoved(owner)
          && !record.mayBeErased(owner.userId(), request.answeredAt)) {
        throw new AssertionError("I4 a row of " + owner + " despite " + request);
      }
    }
  }

  /** Checks I9 for coupons of which no slot was free again. */
  private void slotsInOrder(Coupon coupon) {
    if (!record.isNothingForgotten() || record.mayHaveGoneBack(coupon.id())) {
      return;
    }
    var accepted =
        record.requests().stream()
            .filter(request -> request.owner.couponId().equals(coupon.id()))
            .filter(request -> request.answer instanceof ClaimAnswer.Accepted)
            .toList();
    for (var earlier : accepted) {
      for (var later : accepted) {
        if (earlier.answeredAt < later.askedAt && slot(earlier).compareTo(slot(later)) >= 0) {
          throw new AssertionError("I9 " + earlier + ", then " + later);
        }
      }
    }
  }

  private static Slot slot(Request request) {
    return requireNonNull(ReportedClaim.of(request).slot());
  }

  private List<Request> requestsOf(Owner owner) {
    return record.requests().stream().filter(request -> request.owner.equals(owner)).toList();
  }

  private boolean isRejected(Owner owner) {
    return ErasedUsers.namesOf(owner.userId()).stream()
        .anyMatch(name -> servers.database.lateClaims().isRejected(owner.couponId(), name));
  }

  private boolean isReturned(Owner owner) {
    var coupon =
        coupons.stream().filter(c -> c.id().equals(owner.couponId())).findAny().orElseThrow();
    return hasReturned(coupon, owner.userId()) || isReturnOnlyInLedger(owner);
  }

  private boolean hasReturned(Coupon coupon, UserId user) {
    var returned = ofStock.marksOf(coupon, LedgerMark.GaveBack.class).keySet();
    return ErasedUsers.namesOf(user).stream().anyMatch(returned::contains);
  }

  /**
   * After a restore of the database the ledger may have a return without a row, until the ledger is
   * removed.
   */
  private boolean isReturnOnlyInLedger(Owner owner) {
    return record.isDatabaseSetBackSince(0)
        && coupons.stream()
            .anyMatch(c ->
                c.id().equals(owner.couponId()) && servers.statusOf(c) == CouponStatus.ARCHIVED)
        && ErasedUsers.row(servers.database, owner).isEmpty();
  }

  private List<SlotClaim> holders(Coupon coupon) {
    return servers.database.ports().holders(coupon.id());
  }

  private Map<UserId, UserCoupon> rows(Coupon coupon) {
    Map<UserId, UserCoupon> rows = new HashMap<>();
    for (var user : users) {
      ErasedUsers.row(servers.database, new Owner(coupon.id(), user))
          .ifPresent(row -> rows.put(user, row));
    }
    return rows;
  }
}
