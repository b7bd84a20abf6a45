package io.firstcome.application;

import static java.util.Objects.requireNonNull;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rebuilds the stock of one coupon from rows, ledger and late claims, and lets its claims flow. */
public final class RebuildCoupon {

  /** How often the rebuilding of a large coupon is told of. */
  private static final int ROWS_PER_NOTE = 100_000;

  /** Each try that fails is a customer's step that succeeded. */
  private static final int MAX_TRIES = 20;

  private final StockRecovery recovery;
  private final CouponStock stock;
  private final UserCouponRepository userCoupons;
  private final LateClaimRepository lateClaims;
  private final InstantSource clock;
  private final ApplicationLimits limits;

  public RebuildCoupon(
      StockRecovery recovery,
      CouponStock stock,
      UserCouponRepository userCoupons,
      LateClaimRepository lateClaims,
      InstantSource clock,
      ApplicationLimits limits) {
    this.recovery = recovery;
    this.stock = stock;
    this.userCoupons = userCoupons;
    this.lateClaims = lateClaims;
    this.clock = clock;
    this.limits = limits;
  }

  /** Those whose window is open now come first, then those that open next; archived ones last. */
  List<Coupon> openFirst(List<Coupon> coupons) {
    var now = clock.instant();
    return coupons.stream()
        .sorted(
            Comparator.comparing((Coupon coupon) -> coupon.status() == CouponStatus.ARCHIVED)
                .thenComparing(coupon -> !isClaimed(coupon, now))
                .thenComparing(coupon -> coupon.definition().window().opensAt().isBefore(now))
                .thenComparing(coupon -> coupon.definition().window().opensAt()))
        .toList();
  }

  private static boolean isClaimed(Coupon coupon, Instant now) {
    var window = coupon.definition().window();
    return coupon.status() == CouponStatus.ACTIVE
        && !now.isBefore(window.opensAt())
        && now.isBefore(window.closesAt());
  }

  void rebuild(
      Coupon coupon, Epoch epoch, RecoverStock.Database database, IssuanceObserver observer) {
    var begin = clock.instant();
    var address = new StockAddress(coupon.id(), coupon.partition(), epoch);
    var run = new Run(coupon, address, database, observer);
    run.run();
    observer.couponRebuilt(
        coupon.id(), run.rows, run.unrecorded, Duration.between(begin, clock.instant()));
  }

  /** One rebuilding; {@code taken} has a bit for every slot that somebody holds. */
  private final class Run {

    private final Coupon coupon;
    private final StockAddress address;
    private final int total;
    private final BitSet taken = new BitSet();

    /** What the ledger knew when the rebuilding began: returns, and claims without a row. */
    private final Map<UserId, Slot> gaveBack = new HashMap<>();

    private final Map<UserId, Slot> withoutRow = new HashMap<>();
    private final RecoverStock.Database database;
    private final IssuanceObserver observer;
    private long rows;
    private long unrecorded;

    Run(
        Coupon coupon,
        StockAddress address,
        RecoverStock.Database database,
        IssuanceObserver observer) {
      this.coupon = coupon;
      this.address = address;
      this.database = database;
      this.observer = observer;
      this.total = coupon.definition().totalQuantity();
    }

    void run() {
      readLedger();
      recovery.clearFree(address);
      takeRows();
      takeRejections();
      takeUnrecorded();
      takeLateClaims();
      int next = Math.max(taken.length(), 1);
      offerFreeSlots(next);
      recovery.ready(address, StockTerms.of(coupon), next);
    }

    private void readLedger() {
      String cursor = null;
      do {
        var page = stock.ledger(address, cursor);
        readLedgerPage(page.marks());
        cursor = page.next();
      } while (cursor != null);
    }

    private void readLedgerPage(Map<UserId, LedgerMark> marks) {
      Map<UserId, Slot> holders = new HashMap<>();
      var rejected = new ArrayList<UserId>();
      marks.forEach((user, mark) -> {
        switch (mark) {
          case LedgerMark.Holds(Slot slot) -> holders.put(user, slot);
          case LedgerMark.GaveBack(Slot slot) -> gaveBack.put(user, slot);
          case LedgerMark.WasRejected _ -> rejected.add(user);
        }
      });
      for (var users : Pages.of(List.copyOf(holders.keySet()), limits.pageSize())) {
        holders.keySet().removeAll(userCoupons.owners(coupon.id(), users));
      }
      withoutRow.putAll(holders);
      rememberRejections(rejected);
    }

    /**
     * A row that goes back after it was read leaves its slot to its owner here, and is released by
     * its work item once the coupon is ready.
     */
    private void takeRows() {
      Pages.<SlotOwner, SlotOwner>forEach(
          after -> userCoupons.slotOwners(coupon.id(), after, limits.pageSize()),
          owner -> owner,
          page -> {
            Map<UserId, LedgerMark> marks = new HashMap<>();
            Map<Slot, Integer> freed = new HashMap<>();
            for (var owner : page) {
              if (owner.live() && !isReturnedAgain(owner)) {
                marks.put(owner.userId(), new LedgerMark.Holds(owner.slot()));
                taken.set(owner.slot().number());
              } else {
                marks.put(owner.userId(), new LedgerMark.GaveBack(owner.slot()));
                freed.merge(owner.slot(), owner.generation(), Math::max);
              }
            }
            recovery.putMarks(address, marks);
            if (!freed.isEmpty()) {
              recovery.putFreed(address, freed);
            }
            countRows(page.size());
          });
    }

    /**
     * The stock learns that a slot went back only when the database has it. So where the ledger
     * knows and the row does not, the database was set back, and others may have the slot.
     */
    private boolean isReturnedAgain(SlotOwner owner) {
      if (!owner.slot().equals(gaveBack.get(owner.userId()))) {
        return false;
      }
      for (int i = 0; i < MAX_TRIES; i++) {
        var row = userCoupons.find(coupon.id(), owner.userId()).orElseThrow();
        var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        if (row.slotWentBack()
            || userCoupons.change(
                new UserCouponChange(row, row.foundReturned(now), Actor.RECOVERY, now))) {
          return true;
        }
      }
      return false;
    }

    private void countRows(int more) {
      long before = rows / ROWS_PER_NOTE;
      rows += more;
      if (rows / ROWS_PER_NOTE > before) {
        observer.rebuilding(coupon.id(), rows);
      }
    }

    private void takeRejections() {
      Pages.<UserId, UserId>forEach(
          after -> lateClaims.rejected(coupon.id(), after, limits.pageSize()),
          user -> user,
          page -> {
            Map<UserId, LedgerMark> marks = new HashMap<>();
            for (var user : page) {
              marks.put(user, new LedgerMark.WasRejected());
              withoutRow.remove(user);
            }
            recovery.putMarks(address, marks);
          });
    }

    /** What the ledger gave and no row has yet keeps its slot and becomes a late claim. */
    private void takeUnrecorded() {
      unrecorded = withoutRow.size();
      for (var users : Pages.of(List.copyOf(withoutRow.keySet()), limits.pageSize())) {
        var late = new ArrayList<LateClaim>();
        var impostors = new ArrayList<UserId>();
        for (var user : users) {
          var slot = requireNonNull(withoutRow.get(user));
          late.add(new LateClaim(coupon.id(), user, slot, coupon.partition(), clock.instant()));
          if (!take(slot)) {
            impostors.add(user);
          }
        }
        lateClaims.add(late);
        if (!impostors.isEmpty()) {
          recovery.forget(address, impostors);
        }
      }
    }

    /** A database that was set back has forgotten some, and a rejection is final. */
    private void rememberRejections(List<UserId> users) {
      if (database == RecoverStock.Database.SET_BACK && !users.isEmpty()) {
        lateClaims.settle(
            coupon.partition(),
            address.epoch(),
            coupon.id(),
            List.of(),
            users,
            List.of(),
            clock.instant());
      }
    }

    private boolean take(Slot slot) {
      if (slot.number() > total || taken.get(slot.number())) {
        return false;
      }
      taken.set(slot.number());
      return true;
    }

    /** Late claims that the ledger has lost keep the slot they were promised where it is free. */
    private void takeLateClaims() {
      Pages.<LateClaim, UserId>forEach(
          after -> lateClaims.page(coupon.id(), after, limits.pageSize()),
          LateClaim::userId,
          this::reserve);
    }

    private void reserve(List<LateClaim> page) {
      var owners = userCoupons.owners(coupon.id(), page.stream().map(LateClaim::userId).toList());
      Map<Slot, SlotClaim> wanted = new HashMap<>();
      for (var claim : page) {
        var slot = claim.promised();
        if (!owners.contains(claim.userId())
            && slot.number() <= total
            && !taken.get(slot.number())) {
          wanted.putIfAbsent(slot, new SlotClaim(claim.userId(), slot));
        }
      }
      if (!wanted.isEmpty()) {
        recovery
            .reserve(address, List.copyOf(wanted.values()))
            .forEach(reserved -> taken.set(reserved.slot().number()));
      }
    }

    /** A row may be above the total where a database was set back; no slot there is offered. */
    private void offerFreeSlots(int next) {
      int end = Math.min(next, total + 1);
      var free = new ArrayList<Slot>();
      for (int slot = taken.nextClearBit(1); slot < end; slot = taken.nextClearBit(slot + 1)) {
        free.add(new Slot(slot));
        if (free.size() == limits.pageSize()) {
          recovery.addFree(address, free);
          free.clear();
        }
      }
      if (!free.isEmpty()) {
        recovery.addFree(address, free);
      }
    }
  }
}
