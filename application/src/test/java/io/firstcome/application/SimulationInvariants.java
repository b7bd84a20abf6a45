package io.firstcome.application;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.AnswerRecord.Kind;
import io.firstcome.application.AnswerRecord.Owner;
import io.firstcome.application.AnswerRecord.Request;
import io.firstcome.application.Told.State;
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
 * The invariants I1 to I11, judged from what customers were told and from the database.
 *
 * <p>I1 every answer ends as it promised; I2 one row a user, one user a slot, codes distinct; I3
 * never more rows than pieces; I4 no row without a request that may have led to it; I5 one id, code
 * and slot a user; I6 a claim's status never goes back; I7 sold out means that all are given; I8 at
 * rest nothing is on its way and every piece is given or free; I9 who asks later gets a later slot;
 * I11 the database's clock decides validity.
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
    assertThat(record.falseAlarms()).as("alarms although nothing was forgotten").isEmpty();
    assertThat(servers.database.deadLetters().page(null, 1)).as("I8 set aside").isEmpty();
    Set<CouponCode> codes = new HashSet<>();
    for (var coupon : coupons) {
      var rows = rows(coupon);
      rows.values()
          .forEach(
              row -> assertThat(codes.add(row.identity().code())).as("I2 codes distinct").isTrue());
      ofStock.holdAtRest(coupon, rows);
      soldOutMeansSoldOut(coupon, rows.size());
      for (var user : users) {
        var owner = new Owner(coupon.id(), user);
        var story = story(owner);
        answersEndAsPromised(owner, story, rows.get(user));
        nothingIsLeftOpenInVain(story);
        rowHasARequest(owner, story, rows.get(user));
        oneIdCodeAndSlot(owner, story, rows.get(user));
        statusNeverGoesBack(owner, story);
        noClaimIsFinal(owner, story, rows.get(user));
      }
      slotsInOrder(coupon);
    }
    ofTimes.holdAtRest();
  }

  void holdWhenEverybodyHasClaimed() {
    holdAtRest();
    for (var coupon : coupons) {
      if (servers.statusOf(coupon) != CouponStatus.ACTIVE) {
        continue;
      }
      long rejected =
          users.stream().filter(user -> isRejected(new Owner(coupon.id(), user))).count();
      long goneBack = ofStock.marksOf(coupon, LedgerMark.GaveBack.class).size();
      long mayHaveOne = users.size() - rejected - goneBack;
      assertThat((long) holders(coupon).size())
          .as("I3 at rest, of %s", coupon.id())
          .isEqualTo(Math.min(coupon.definition().totalQuantity(), mayHaveOne));
    }
  }

  private void soldOutMeansSoldOut(Coupon coupon, int rows) {
    boolean told =
        record.requests().stream()
            .filter(request -> request.owner.couponId().equals(coupon.id()))
            .anyMatch(request -> Told.of(request).state() == State.SOLD_OUT);
    if (told && !record.isDestroyed(coupon.id()) && !record.mayHaveGoneBack(coupon.id())) {
      assertThat(rows).as("I7 %s", coupon.id()).isEqualTo(coupon.definition().totalQuantity());
    }
  }

  private void answersEndAsPromised(Owner owner, List<Request> story, @Nullable UserCoupon row) {
    for (var request : story) {
      boolean kept =
          switch (Told.of(request).state()) {
            case ROW -> row != null || isGoneBack(owner);
            case ACCEPTED, HELD ->
                row != null
                    || isGoneBack(owner)
                    || (isRejected(owner) && record.mayHaveMoved(owner.couponId()));
            case RETURNED -> Told.isEnded(row) || isGoneBack(owner) || record.isEndForgotten(owner);
            case REJECTED -> isRejected(owner);
            case NO_CLAIM, SOLD_OUT, NOTHING_HAPPENED, NOT_KNOWN -> true;
          };
      if (!kept && !record.isDestroyedSince(owner, request.askedAt)) {
        throw new AssertionError("I1 " + request + " ended with " + row);
      }
    }
  }

  /** A claim that the stock has answered, or refused without effect, has a definite answer. */
  private void nothingIsLeftOpenInVain(List<Request> story) {
    for (var request : story) {
      if (request.answer instanceof ClaimAnswer.OutcomeUnknown && !record.isLeftOpen(request)) {
        throw new AssertionError("I1 no call was left open of " + request);
      }
    }
  }

  private void rowHasARequest(Owner owner, List<Request> story, @Nullable UserCoupon row) {
    if (row != null) {
      assertThat(story)
          .as("I4 requests that may have led to the row of %s", owner)
          .anyMatch(request -> request.kind == Kind.CLAIM && mayHaveHadAnEffect(request));
    }
  }

  private static boolean mayHaveHadAnEffect(Request request) {
    return switch (Told.of(request).state()) {
      case ROW, ACCEPTED, HELD, RETURNED, REJECTED, NOT_KNOWN -> true;
      case NO_CLAIM, SOLD_OUT, NOTHING_HAPPENED -> false;
    };
  }

  private void oneIdCodeAndSlot(Owner owner, List<Request> story, @Nullable UserCoupon row) {
    Set<Object> identities = new HashSet<>();
    Set<Slot> slots = new HashSet<>();
    if (row != null) {
      identities.add(row.identity());
      slots.add(row.slot());
    }
    for (var request : story) {
      var told = Told.of(request);
      if (told.identity() != null) {
        identities.add(told.identity());
      }
      if (told.slot() != null) {
        slots.add(told.slot());
      }
    }
    assertThat(identities).as("I5 ids and codes of %s", owner).hasSizeLessThanOrEqualTo(1);
    if (!record.mayHaveMoved(owner)) {
      assertThat(slots).as("I5 slots of %s", owner).hasSizeLessThanOrEqualTo(1);
    }
  }

  private void statusNeverGoesBack(Owner owner, List<Request> story) {
    for (var earlier : story) {
      for (var later : story) {
        if (earlier.answeredAt < later.askedAt
            && goesBack(Told.of(earlier).state(), Told.of(later).state())
            && !record.mayHaveMoved(owner)
            && !record.isDatabaseSetBackSince(earlier.askedAt)
            && !wasKnownToTheLedgerAlone(owner)
            && !isEndKnownToTheLedgerAlone(owner, Told.of(earlier).state())) {
          throw new AssertionError("I6 " + earlier + ", then " + later);
        }
      }
    }
  }

  /**
   * The stock may learn of a return right after the database has forgotten it; the row says
   * otherwise then, until a recovery ends it again.
   */
  private boolean isEndKnownToTheLedgerAlone(Owner owner, State earlier) {
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
      case REJECTED -> later != State.REJECTED && (mayLead(later) || isNothing(later));
      case NO_CLAIM, SOLD_OUT, NOTHING_HAPPENED, NOT_KNOWN -> false;
    };
  }

  private static boolean isNothing(State state) {
    return state == State.NO_CLAIM || state == State.SOLD_OUT;
  }

  private static boolean mayLead(State state) {
    return state == State.ROW || state == State.ACCEPTED || state == State.HELD;
  }

  /** Once the deadlines of all their calls are over, who has no claim will not get one. */
  private void noClaimIsFinal(Owner owner, List<Request> story, @Nullable UserCoupon row) {
    for (var request : story) {
      boolean allOver =
          Told.of(request).state() == State.NO_CLAIM
              && story.stream()
                  .filter(other -> other.kind == Kind.CLAIM)
                  .allMatch(claim ->
                      claim
                          .endedWhen
                          .plus(SimulationSetting.LIMITS.callTime())
                          .isBefore(request.askedWhen));
      if (allOver && row != null && !record.mayHaveMoved(owner)) {
        throw new AssertionError("I4 a row of " + owner + " in spite of " + request);
      }
    }
  }

  /** I9, where no slot was ever free again. */
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
    return requireNonNull(Told.of(request).slot());
  }

  private List<Request> story(Owner owner) {
    return record.requests().stream().filter(request -> request.owner.equals(owner)).toList();
  }

  private boolean isRejected(Owner owner) {
    return servers.database.lateClaims().isRejected(owner.couponId(), owner.userId());
  }

  private boolean isGoneBack(Owner owner) {
    var coupon =
        coupons.stream().filter(c -> c.id().equals(owner.couponId())).findAny().orElseThrow();
    return ofStock.marksOf(coupon, LedgerMark.GaveBack.class).containsKey(owner.userId())
        || wasKnownToTheLedgerAlone(owner);
  }

  /**
   * Where the database was set back the ledger may know of a return without a row, until it goes.
   */
  private boolean wasKnownToTheLedgerAlone(Owner owner) {
    return record.isDatabaseSetBackSince(0)
        && coupons.stream()
            .anyMatch(c ->
                c.id().equals(owner.couponId()) && servers.statusOf(c) == CouponStatus.ARCHIVED)
        && servers.database.userCoupons().find(owner.couponId(), owner.userId()).isEmpty();
  }

  private List<SlotClaim> holders(Coupon coupon) {
    return servers.database.ports().holders(coupon.id());
  }

  private Map<UserId, UserCoupon> rows(Coupon coupon) {
    Map<UserId, UserCoupon> rows = new HashMap<>();
    for (var user : users) {
      servers.database.userCoupons().find(coupon.id(), user).ifPresent(row -> rows.put(user, row));
    }
    return rows;
  }
}
