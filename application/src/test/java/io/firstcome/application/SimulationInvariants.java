package io.firstcome.application;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.AnswerRecord.Kind;
import io.firstcome.application.AnswerRecord.Owner;
import io.firstcome.application.AnswerRecord.Request;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The invariants I1 to I8, judged from what customers were told and from the database.
 *
 * <p>I1 every answer ends as it promised; I2 one row a user, one user a slot, codes distinct; I3
 * never more rows than pieces; I4 no row without a request that may have led to it; I5 one id, code
 * and slot a user; I6 a claim's status never goes back; I7 sold out means that all are given; I8 at
 * rest nothing is on its way and every piece is given or free.
 */
final class SimulationInvariants {

  private final SimulatedServers servers;
  private final AnswerRecord record;
  private final List<Coupon> coupons;
  private final List<UserId> users;

  SimulationInvariants(
      SimulatedServers servers, AnswerRecord record, List<Coupon> coupons, List<UserId> users) {
    this.servers = servers;
    this.record = record;
    this.coupons = coupons;
    this.users = users;
  }

  void holdAtEveryMoment() {
    if (!servers.isDatabaseAway()) {
      for (var coupon : coupons) {
        int total = coupon.definition().totalQuantity();
        assertThat(holders(coupon))
            .as("I3 rows of %s", coupon.id())
            .hasSizeLessThanOrEqualTo(total);
      }
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
      rowsAndStockAgree(coupon, rows);
      soldOutMeansSoldOut(coupon, rows.size());
      for (var user : users) {
        var owner = new Owner(coupon.id(), user);
        var story = story(owner);
        answersEndAsPromised(owner, story, rows.get(user));
        rowHasARequest(owner, story, rows.get(user));
        oneIdCodeAndSlot(owner, story, rows.get(user));
        statusNeverGoesBack(owner, story);
        noClaimIsFinal(owner, story, rows.get(user));
      }
      slotsInOrder(coupon);
    }
  }

  void holdWhenEverybodyHasClaimed() {
    holdAtRest();
    for (var coupon : coupons) {
      long rejected =
          users.stream().filter(user -> isRejected(new Owner(coupon.id(), user))).count();
      assertThat((long) rows(coupon).size())
          .as("I3 at rest, of %s", coupon.id())
          .isEqualTo(Math.min(coupon.definition().totalQuantity(), users.size() - rejected));
    }
  }

  /** I2 and I8: rows, ledger and free slots are two views of the same. */
  private void rowsAndStockAgree(Coupon coupon, Map<UserId, UserCoupon> rows) {
    Map<UserId, Slot> inDatabase = new HashMap<>();
    rows.forEach((user, row) -> inDatabase.put(user, row.slot()));
    Map<UserId, Slot> inLedger = new HashMap<>();
    servers
        .stock
        .marks(coupon.partition(), coupon.id())
        .forEach((user, mark) -> {
          if (mark instanceof LedgerMark.Holds(Slot slot)) {
            inLedger.put(user, slot);
          }
        });
    assertThat(Set.copyOf(inDatabase.values()))
        .as("I2 slots distinct")
        .hasSameSizeAs(rows.values());
    assertThat(holders(coupon))
        .as("I2 users by slot")
        .extracting(SlotClaim::userId)
        .containsExactlyInAnyOrderElementsOf(rows.keySet());
    assertThat(inLedger).as("I8 ledger and rows of %s", coupon.id()).isEqualTo(inDatabase);
    var address =
        new StockAddress(
            coupon.id(), coupon.partition(), servers.database.epochs().current(coupon.partition()));
    assertThat(servers.stock.stock().level(address).free())
        .as("I8 free slots of %s", coupon.id())
        .isEqualTo(coupon.definition().totalQuantity() - rows.size());
  }

  private void soldOutMeansSoldOut(Coupon coupon, int rows) {
    boolean told =
        record.requests().stream()
            .filter(request -> request.owner.couponId().equals(coupon.id()))
            .anyMatch(request -> told(request).state() == State.SOLD_OUT);
    if (told && !record.isDestroyed(coupon.id())) {
      assertThat(rows).as("I7 %s", coupon.id()).isEqualTo(coupon.definition().totalQuantity());
    }
  }

  private void answersEndAsPromised(Owner owner, List<Request> story, @Nullable UserCoupon row) {
    for (var request : story) {
      boolean kept =
          switch (told(request).state()) {
            case ROW -> row != null;
            case ACCEPTED, HELD ->
                row != null || (isRejected(owner) && record.mayHaveMoved(owner.couponId()));
            case REJECTED -> isRejected(owner);
            case NO_CLAIM, SOLD_OUT, NOTHING_HAPPENED, NOT_KNOWN -> true;
          };
      if (!kept && !record.isDestroyedSince(owner, request.askedAt)) {
        throw new AssertionError("I1 " + request + " ended with " + row);
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
    return switch (told(request).state()) {
      case ROW, ACCEPTED, HELD, REJECTED, NOT_KNOWN -> true;
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
      var told = told(request);
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
            && goesBack(told(earlier).state(), told(later).state())
            && !record.mayHaveMoved(owner)
            && !record.isDatabaseSetBackSince(earlier.askedAt)) {
          throw new AssertionError("I6 " + earlier + ", then " + later);
        }
      }
    }
  }

  private static boolean goesBack(State earlier, State later) {
    return switch (earlier) {
      case ROW -> later == State.ACCEPTED || later == State.REJECTED || isNothing(later);
      case ACCEPTED, HELD -> isNothing(later);
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
          told(request).state() == State.NO_CLAIM
              && story.stream()
                  .filter(other -> other.kind == Kind.CLAIM)
                  .allMatch(claim ->
                      claim
                          .endedWhen
                          .plus(Simulation.LIMITS.callTime())
                          .isBefore(request.askedWhen));
      if (allOver && row != null && !record.mayHaveMoved(owner)) {
        throw new AssertionError("I4 a row of " + owner + " in spite of " + request);
      }
    }
  }

  /** I9, where no slot was ever free again. */
  private void slotsInOrder(Coupon coupon) {
    if (!record.isNothingForgotten()) {
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
    return requireNonNull(told(request).slot());
  }

  private List<Request> story(Owner owner) {
    return record.requests().stream().filter(request -> request.owner.equals(owner)).toList();
  }

  private boolean isRejected(Owner owner) {
    return servers.database.lateClaims().isRejected(owner.couponId(), owner.userId());
  }

  private List<SlotClaim> holders(Coupon coupon) {
    return servers.database.userCoupons().holders(coupon.id(), null, 1_000);
  }

  private Map<UserId, UserCoupon> rows(Coupon coupon) {
    Map<UserId, UserCoupon> rows = new HashMap<>();
    for (var user : users) {
      servers.database.userCoupons().find(coupon.id(), user).ifPresent(row -> rows.put(user, row));
    }
    return rows;
  }

  /** What a customer was told of a claim, whichever way they asked. */
  private record Told(State state, @Nullable UserCouponIdentity identity, @Nullable Slot slot) {}

  private enum State {
    ROW,
    ACCEPTED,
    /** They have the slot, and the database could not be asked for the row. */
    HELD,
    REJECTED,
    NO_CLAIM,
    SOLD_OUT,
    NOTHING_HAPPENED,
    NOT_KNOWN
  }

  private static Told told(Request request) {
    return switch (request.answer) {
      case ClaimAnswer answer -> told(answer);
      case FindClaim.Result result -> told(result);
      case null, default -> {
        boolean harmless = request.kind == Kind.STATUS;
        yield new Told(harmless ? State.NOTHING_HAPPENED : State.NOT_KNOWN, null, null);
      }
    };
  }

  private static Told told(ClaimAnswer answer) {
    return switch (answer) {
      case ClaimAnswer.Issued(var identity, var slot) -> new Told(State.ROW, identity, slot);
      case ClaimAnswer.Accepted(var identity, var slot) -> new Told(State.ACCEPTED, identity, slot);
      case ClaimAnswer.AlreadyIssued(var identity, var slot, var row) ->
          new Told(
              switch (row) {
                case ISSUED, HELD, USED, EXPIRED -> State.ROW;
                case ACCEPTED -> State.ACCEPTED;
                case NOT_KNOWN -> State.HELD;
              },
              identity,
              slot);
      case ClaimAnswer.Refused(ClaimOutcome.Rejected _) -> new Told(State.REJECTED, null, null);
      case ClaimAnswer.Refused(ClaimOutcome.SoldOut _) -> new Told(State.SOLD_OUT, null, null);
      case ClaimAnswer.OutcomeUnknown _ -> new Told(State.NOT_KNOWN, null, null);
      case ClaimAnswer.Refused _,
          ClaimAnswer.UnknownCoupon _,
          ClaimAnswer.AdmissionRequired _,
          ClaimAnswer.Overloaded _,
          ClaimAnswer.Recovering _ ->
          new Told(State.NOTHING_HAPPENED, null, null);
    };
  }

  private static Told told(FindClaim.Result result) {
    return switch (result) {
      case FindClaim.Result.Recorded(UserCoupon row) ->
          new Told(State.ROW, row.identity(), row.slot());
      case FindClaim.Result.Accepted(var identity, var slot) ->
          new Told(State.ACCEPTED, identity, slot);
      case FindClaim.Result.Rejected _ -> new Told(State.REJECTED, null, null);
      case FindClaim.Result.None _ -> new Told(State.NO_CLAIM, null, null);
      case FindClaim.Result.Returned _, FindClaim.Result.UnknownCoupon _ ->
          throw new AssertionError("nobody returns a coupon, and all are known: " + result);
    };
  }
}
