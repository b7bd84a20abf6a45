package io.firstcome.application.simulation;

import io.firstcome.application.simulation.AnswerRecord.Owner;
import io.firstcome.contracts.broker.InMemoryBroker;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.contracts.stock.InMemoryStockBackend;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A snapshot of what the three servers know of each claim, without the memory of instances. */
final class ClaimTraces {

  private final ErasedUsers erased;
  private final Map<Owner, Trace> traces = new HashMap<>();

  private ClaimTraces(ErasedUsers erased) {
    this.erased = erased;
  }

  /**
   * Whether anything is known of a claim, which slots the stock or a row gives it, and whether it
   * is known to have been returned or revoked.
   */
  private static final class Trace {
    private final Set<Slot> slots = new HashSet<>();
    private boolean isThere;
    private boolean isEnded;
  }

  static ClaimTraces of(
      InMemoryStockBackend stock,
      InMemoryDatabase database,
      InMemoryBroker broker,
      List<Coupon> coupons,
      List<UserId> users) {
    var traces = new ClaimTraces(new ErasedUsers(users));
    for (var coupon : coupons) {
      traces.addRows(database, coupon, users);
      traces.addLateClaims(database, coupon, users);
      traces.addMarks(stock, coupon);
    }
    for (var entry : broker.entries()) {
      entry.claims().forEach(claim -> traces.add(new Owner(entry.couponId(), claim.userId())));
    }
    return traces;
  }

  private void addRows(InMemoryDatabase database, Coupon coupon, List<UserId> users) {
    for (var user : users) {
      var owner = new Owner(coupon.id(), user);
      ErasedUsers.row(database, owner)
          .ifPresent(row -> {
            var trace = add(owner);
            trace.slots.add(row.slot());
            trace.isEnded |=
                row instanceof UserCoupon.Returned || row instanceof UserCoupon.Revoked;
          });
    }
  }

  private void addLateClaims(InMemoryDatabase database, Coupon coupon, List<UserId> users) {
    var lateClaims = database.lateClaims();
    lateClaims
        .waiting(coupon.id(), users)
        .keySet()
        .forEach(user -> add(new Owner(coupon.id(), user)));
    users.stream()
        .filter(user ->
            ErasedUsers.namesOf(user).stream()
                .anyMatch(name -> lateClaims.isRejected(coupon.id(), name)))
        .forEach(user -> add(new Owner(coupon.id(), user)));
  }

  private void addMarks(InMemoryStockBackend stock, Coupon coupon) {
    stock
        .marks(coupon.partition(), coupon.id())
        .forEach((user, mark) -> {
          var trace = add(new Owner(coupon.id(), erased.userOf(user)));
          if (mark instanceof LedgerMark.Holds(Slot slot)) {
            trace.slots.add(slot);
          }
          trace.isEnded |= mark instanceof LedgerMark.GaveBack;
        });
  }

  private Trace add(Owner owner) {
    var trace = traces.computeIfAbsent(owner, absent -> new Trace());
    trace.isThere = true;
    return trace;
  }

  /** Records what is in this snapshot and not in the later one. */
  void tellLosses(ClaimTraces later, AnswerRecord record) {
    traces.forEach((owner, trace) -> {
      var rest = later.traces.getOrDefault(owner, new Trace());
      if (!rest.isThere) {
        record.lastCopyDestroyed(owner);
      }
      if (trace.isEnded && !rest.isEnded) {
        record.endForgotten(owner);
      }
      if (!rest.slots.containsAll(trace.slots)) {
        record.slotForgotten(owner);
      }
    });
  }
}
