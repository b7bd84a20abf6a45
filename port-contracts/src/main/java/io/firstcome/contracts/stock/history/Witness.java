package io.firstcome.contracts.stock.history;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.stock.history.PartitionView.CouponView;
import io.firstcome.contracts.stock.history.PartitionView.Entry;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.FenceState;
import io.firstcome.domain.issuance.FenceState.Kind;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reports the events of each step of one history, according to the state before it. */
final class Witness {

  private final Consumer<Event> observer;
  private final Map<CouponId, StockTerms> terms = new HashMap<>();
  private final Set<Entry> read = new HashSet<>();

  Witness(Consumer<Event> observer) {
    this.observer = observer;
  }

  void saw(Step step, PortReply<Object> answer, Map<Partition, PartitionView> before) {
    switch (answer) {
      case PortReply.Given<Object>(Object value) -> given(step, value, before);
      case PortReply.Fenced<Object> _ -> fenced(step, before);
      case PortReply.Unavailable<Object> _ ->
          observer.accept(step instanceof Step.Adopt ? Event.ADOPT_LEASED : Event.CLAIM_LATE);
    }
  }

  private void given(Step step, Object value, Map<Partition, PartitionView> before) {
    switch (step) {
      case Step.OfCoupon call -> given(call, value, viewOf(call.coupon().partition(), before));
      case Step.Begin _ -> observer.accept(Event.BEGUN);
      case Step.Open _ -> observer.accept(Event.OPENED);
      case Step.ReadNew _ -> wasRead((List<?>) value, Event.READ_NEW, Event.READ_NEW_NOTHING);
      case Step.ReadStale _ -> wasRead((List<?>) value, Event.READ_STALE, Event.READ_STALE_NOTHING);
      case Step.Recorded recorded -> recorded(recorded, viewOf(recorded.partition(), before));
      case Step.Restart _ -> observer.accept(Event.RESTARTED);
      case Step.Wipe _ -> {
        terms.clear();
        observer.accept(Event.WIPED);
      }
    }
  }

  private static PartitionView viewOf(Partition partition, Map<Partition, PartitionView> before) {
    return Objects.requireNonNull(before.get(partition));
  }

  private void given(Step.OfCoupon step, Object value, PartitionView view) {
    var before = view.coupon(step.coupon().couponId());
    switch (step) {
      case Step.Claims claims -> claimed(claims, (List<?>) value, view, before);
      case Step.Create create -> created(create);
      case Step.Apply apply -> applied(apply);
      case Step.Remove _ ->
          observer.accept(forget(step) == null ? Event.REMOVED_BEFORE : Event.REMOVED);
      case Step.Clear _ -> {
        forget(step);
        observer.accept(Event.CLEARED);
      }
      case Step.Find find -> {
        for (var user : find.users()) {
          observer.accept(((Map<?, ?>) value).containsKey(user) ? Event.FOUND : Event.NOT_FOUND);
        }
      }
      case Step.Adopt adopt -> adopted(adopt, (List<?>) value, before);
      case Step.Release release -> released(release, value, before);
      case Step.Erase erase -> observer.accept(erased(erase, before));
      case Step.ExpectPseudonyms _ -> observer.accept(Event.PSEUDONYMS_EXPECTED);
      case Step.Lease _ ->
          observer.accept(
              ((List<?>) value).isEmpty() ? Event.LEASE_NOT_GRANTED : Event.LEASE_GRANTED);
      case Step.EndLease end ->
          observer.accept(
              (Long) value == 0
                  ? Event.NO_LEASE_TO_END
                  : end.behind() == 0 ? Event.LEASE_ENDED : Event.EARLIER_LEASE_ENDED);
      case Step.PutMarks _ -> observer.accept(Event.MARKS_PUT);
      case Step.Forget _ -> observer.accept(Event.USERS_FORGOTTEN);
      case Step.Reserve reserve -> {
        int reserved = ((List<?>) value).size();
        report(Event.RESERVED, reserved);
        report(Event.NOT_RESERVED, reserve.claims().size() - reserved);
      }
      case Step.ClearFree _ -> observer.accept(Event.FREE_CLEARED);
      case Step.PutFreed _ -> observer.accept(Event.FREED_PUT);
      case Step.AddFree _ -> observer.accept(Event.FREE_ADDED);
      case Step.Ready ready -> {
        terms.put(ready.coupon().couponId(), ready.terms());
        observer.accept(Event.READY);
      }
    }
  }

  private @Nullable StockTerms forget(Step.OfCoupon step) {
    return terms.remove(step.coupon().couponId());
  }

  private void report(Event event, int times) {
    for (int i = 0; i < times; i++) {
      observer.accept(event);
    }
  }

  private void claimed(Step.Claims step, List<?> outcomes, PartitionView view, CouponView before) {
    boolean anyAccepted = false;
    for (int i = 0; i < outcomes.size(); i++) {
      var user = step.users().get(i);
      var outcome = (ClaimOutcome) outcomes.get(i);
      observer.accept(
          switch (outcome) {
            case ClaimOutcome.Accepted(Slot slot) ->
                before.freeAgain().contains(slot)
                    ? Event.CLAIM_TOOK_A_RETURNED_SLOT
                    : Event.CLAIM_TOOK_THE_NEXT_SLOT;
            case ClaimOutcome.AlreadyIssued _ ->
                before.marks().containsKey(user) ? Event.CLAIM_KNOWN : Event.CLAIM_TWICE_IN_A_CALL;
            case ClaimOutcome.Returned _ ->
                before.marks().containsKey(user)
                    ? Event.CLAIM_OF_WHO_GAVE_BACK
                    : Event.CLAIM_OF_WHO_WAS_ERASED;
            case ClaimOutcome.Rejected _ ->
                before.marks().containsKey(user)
                    ? Event.CLAIM_OF_WHO_WAS_REJECTED
                    : Event.CLAIM_OF_WHO_WAS_REJECTED_AND_ERASED;
            case ClaimOutcome.SoldOut _ ->
                anyAccepted ? Event.CLAIM_SOLD_OUT_IN_THE_CALL : Event.CLAIM_SOLD_OUT;
            case ClaimOutcome.CampaignLimit _ -> Event.CLAIM_AT_THE_LIMIT_OF_A_CAMPAIGN;
            case ClaimOutcome.NotOpen _ -> Event.CLAIM_BEFORE_THE_WINDOW;
            case ClaimOutcome.Closed _ ->
                termsOf(step).status() == CouponStatus.CLOSED
                    ? Event.CLAIM_OF_A_CLOSED_COUPON
                    : Event.CLAIM_AFTER_THE_WINDOW;
            case ClaimOutcome.Paused _ -> Event.CLAIM_OF_A_PAUSED_COUPON;
            case ClaimOutcome.Busy _ -> Event.CLAIM_BUSY;
            case ClaimOutcome.Withheld _ -> Event.CLAIM_WITHHELD;
            case ClaimOutcome.Repeat _ -> Event.CLAIM_WITHOUT_PSEUDONYM;
            case ClaimOutcome.Issued _ ->
                throw new IllegalStateException("a backend with a log never replies Issued");
          });
      if (outcome instanceof ClaimOutcome.Accepted) {
        anyAccepted = true;
        report(Event.CLAIM_WHILE_RECOVERING, view.fence().kind() == Kind.RECOVERING ? 1 : 0);
      }
    }
  }

  private StockTerms termsOf(Step.OfCoupon step) {
    return Objects.requireNonNull(terms.get(step.coupon().couponId()));
  }

  private void created(Step.Create step) {
    var there = terms.putIfAbsent(step.coupon().couponId(), step.terms());
    observer.accept(there == null ? Event.CREATED : Event.CREATED_BEFORE);
  }

  private void applied(Step.Apply step) {
    int newer = Integer.compare(step.terms().revision(), termsOf(step).revision());
    if (newer > 0) {
      terms.put(step.coupon().couponId(), step.terms());
      observer.accept(Event.TERMS_NEWER);
    } else {
      observer.accept(newer == 0 ? Event.TERMS_OF_THE_SAME_REVISION : Event.TERMS_OLDER);
    }
  }

  private void adopted(Step.Adopt step, List<?> outcomes, CouponView before) {
    Set<UserId> known = new HashSet<>(before.marks().keySet());
    for (int i = 0; i < outcomes.size(); i++) {
      var claim = step.claims().get(i);
      boolean isNew = known.add(claim.userId());
      observer.accept(
          switch ((AdoptOutcome) outcomes.get(i)) {
            case AdoptOutcome.Adopted(Slot slot) -> {
              if (!isNew) {
                yield Event.ADOPTED_THE_HOLDER;
              }
              if (!slot.equals(claim.promised())) {
                yield Event.ADOPTED_WITH_ANOTHER_SLOT;
              }
              yield before.freeAgain().contains(slot)
                  ? Event.ADOPTED_WITH_A_RETURNED_SLOT
                  : Event.ADOPTED_WITH_THE_NEXT_SLOT;
            }
            case AdoptOutcome.GoneBack _ -> Event.ADOPT_OF_WHO_GAVE_BACK;
            case AdoptOutcome.Rejected _ ->
                isNew ? Event.ADOPT_REJECTED : Event.ADOPT_REJECTED_BEFORE;
          });
    }
  }

  private void released(Step.Release step, Object outcome, CouponView before) {
    boolean holds = new LedgerMark.Holds(step.slot()).equals(before.marks().get(step.user()));
    observer.accept(
        switch ((ReleaseOutcome) outcome) {
          case ReleaseOutcome.Released _ -> Event.RELEASED;
          case ReleaseOutcome.Withheld _ -> Event.RELEASE_WITHHELD;
          case ReleaseOutcome.NotHeld _ ->
              holds ? Event.RELEASE_OF_AN_OLD_GENERATION : Event.RELEASE_OF_A_SLOT_NOT_HELD;
        });
  }

  private static Event erased(Step.Erase step, CouponView before) {
    if (before.marks().containsKey(step.user())) {
      return Event.ERASED;
    }
    return before.marks().containsKey(CouponFixtures.pseudonymOf(step.user()))
        ? Event.ERASED_AGAIN
        : Event.ERASED_WITHOUT_A_MARK;
  }

  private void wasRead(List<?> entries, Event something, Event nothing) {
    entries.forEach(entry -> read.add((Entry) entry));
    observer.accept(entries.isEmpty() ? nothing : something);
  }

  private void recorded(Step.Recorded step, PartitionView before) {
    var waiting = new ArrayList<>(before.log().entries());
    for (int number : step.numbers()) {
      var entry = waiting.stream().filter(e -> e.number() == number).findFirst().orElse(null);
      if (entry == null) {
        observer.accept(Event.RECORDED_AGAIN);
      } else if (step.ofAnotherEpoch()) {
        observer.accept(Event.RECORDED_IN_ANOTHER_EPOCH);
      } else {
        waiting.remove(entry);
        observer.accept(
            read.contains(entry)
                ? Event.RECORDED_AFTER_IT_WAS_READ
                : Event.RECORDED_BEFORE_IT_WAS_READ);
      }
    }
  }

  private void fenced(Step step, Map<Partition, PartitionView> before) {
    switch (step) {
      case Step.OfCoupon call -> {
        var reason =
            reason(viewOf(call.coupon().partition(), before).fence(), call.coupon().epoch());
        observer.accept(
            call instanceof Step.Create && reason == Event.FENCE_OPEN
                ? Event.CREATE_AFTER_REMOVAL
                : fenced(call));
        observer.accept(reason);
      }
      case Step.Begin _ -> observer.accept(Event.BEGIN_FENCED);
      case Step.Open open -> {
        observer.accept(Event.OPEN_FENCED);
        observer.accept(reason(viewOf(open.partition(), before).fence(), open.epoch()));
      }
      case Step.ReadNew _, Step.ReadStale _, Step.Recorded _, Step.Restart _, Step.Wipe _ ->
          throw new AssertionError("fenced although it needs no fence: " + step);
    }
  }

  private static Event fenced(Step.OfCoupon step) {
    return switch (step) {
      case Step.Claims _ -> Event.CLAIM_FENCED;
      case Step.Create _ -> Event.CREATE_FENCED;
      case Step.Apply _ -> Event.APPLY_FENCED;
      case Step.Remove _ -> Event.REMOVE_FENCED;
      case Step.Clear _ -> Event.CLEAR_FENCED;
      case Step.Find _ -> Event.FIND_FENCED;
      case Step.Adopt _ -> Event.ADOPT_FENCED;
      case Step.Release _ -> Event.RELEASE_FENCED;
      case Step.Erase _ -> Event.ERASE_FENCED;
      case Step.ExpectPseudonyms _ -> Event.EXPECT_PSEUDONYMS_FENCED;
      case Step.Lease _ -> Event.LEASE_FENCED;
      case Step.EndLease _ -> Event.END_LEASE_FENCED;
      case Step.PutMarks _ -> Event.PUT_MARKS_FENCED;
      case Step.Forget _ -> Event.FORGET_FENCED;
      case Step.Reserve _ -> Event.RESERVE_FENCED;
      case Step.ClearFree _ -> Event.CLEAR_FREE_FENCED;
      case Step.PutFreed _ -> Event.PUT_FREED_FENCED;
      case Step.AddFree _ -> Event.ADD_FREE_FENCED;
      case Step.Ready _ -> Event.READY_FENCED;
    };
  }

  private static Event reason(FenceState fence, Epoch epoch) {
    if (fence.kind() == Kind.MISSING) {
      return Event.FENCE_MISSING;
    }
    if (!fence.epoch().equals(epoch)) {
      return fence.epoch().isAfter(epoch)
          ? Event.FENCE_OF_A_LATER_EPOCH
          : Event.FENCE_OF_AN_EARLIER_EPOCH;
    }
    if (!fence.ofThisServer()) {
      return Event.FENCE_OF_ANOTHER_RUN;
    }
    return fence.kind() == Kind.RECOVERING ? Event.FENCE_RECOVERING : Event.FENCE_OPEN;
  }
}
