package io.firstcome.application.recovery;

import io.firstcome.application.paging.Pages;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.handoff.LateClaimSettlement;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Pseudonyms;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.SlotSet;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.Completion;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.RecoveryObservation;
import io.firstcome.domain.port.CouponStock;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One rebuilding of one coupon's stock: rows first, then rejections, then late claims.
 *
 * <p>A ledger that survived is verified and not written again: each page of rows is compared with
 * the marks of its users, and only marks that differ are written. The marks that belong to rows,
 * rejections and late claims are counted. As each belongs to a different user, a ledger of exactly
 * that size has no other marks. Only a larger one is read as a whole, to find the users who are not
 * in the database.
 *
 * <p>If a user was erased, either the ledger or the row may have been set back to the user id
 * since. The row decides: the other mark of that user is removed, and never becomes a late claim. A
 * pseudonym whose user coupon the database has lost cannot become a late claim either, as nobody
 * knows the user: its slot becomes free, and the user still cannot claim again.
 */
final class LedgerRebuild {

  /** The number of rows between reports of progress. */
  private static final int ROWS_PER_NOTE = 100_000;

  /** Each failed attempt means that a customer's step succeeded. */
  private static final int MAX_ATTEMPTS = 20;

  private final Coupon coupon;
  private final StockAddress address;
  private final RecoverStock.Database database;
  private final StockRecovery recovery;
  private final CouponStock stock;
  private final UserCouponRepository userCoupons;
  private final LateClaimRepository lateClaims;
  private final ErasedUsers erasedUsers;
  private final InstantSource clock;
  private final Executor executor;
  private final RecoveryLimits limits;
  private final IssuanceObserver observer;
  private final Runnable progress;
  private final int total;
  private final Instant begun;

  /** Slots that have an owner. */
  private final SlotSet taken = new SlotSet();

  /** Whether the ledger was lost, so that there are no marks to compare with. */
  private boolean ledgerIsEmpty;

  /** Users in the ledger who have a row, a rejection or a late claim. */
  private long explained;

  private long rows;
  private long unrecorded;

  LedgerRebuild(
      Coupon coupon,
      StockAddress address,
      RecoverStock.Database database,
      StockRecovery recovery,
      CouponStock stock,
      UserCouponRepository userCoupons,
      LateClaimRepository lateClaims,
      Pseudonyms pseudonyms,
      InstantSource clock,
      Executor executor,
      RecoveryLimits limits,
      IssuanceObserver observer,
      Runnable progress) {
    this.coupon = coupon;
    this.address = address;
    this.database = database;
    this.recovery = recovery;
    this.stock = stock;
    this.userCoupons = userCoupons;
    this.lateClaims = lateClaims;
    this.erasedUsers = new ErasedUsers(address, recovery, userCoupons, pseudonyms);
    this.clock = clock;
    this.executor = executor;
    this.limits = limits;
    this.observer = observer;
    this.progress = progress;
    this.total = coupon.definition().totalQuantity();
    this.begun = clock.instant();
  }

  /** Rows that were processed. */
  long rows() {
    return rows;
  }

  /** Users in the ledger who have no row yet. */
  long unrecorded() {
    return unrecorded;
  }

  /** The time since this rebuilding was begun. */
  Duration took() {
    return Duration.between(begun, clock.instant());
  }

  /** Whether a row, a rejection or the ledger has a pseudonym. */
  boolean hasErasedUsers() {
    return erasedUsers.wereFound();
  }

  void run() {
    ledgerIsEmpty = recovery.ledgerSize(address) == 0;
    recovery.clearFree(address);
    takeRows();
    takeRejections();
    takeLateClaimsThatHoldASlot();
    if (database == RecoverStock.Database.SET_BACK || recovery.ledgerSize(address) != explained) {
      takeUnexplained();
    }
    reserveForLateClaims();
    offerFreeSlots(taken.end());
  }

  /**
   * Accepts claims, with the rebuilt ledger.
   *
   * @param compareWithPseudonyms whether users of any coupon of its campaign were erased
   */
  void ready(boolean compareWithPseudonyms) {
    recovery.ready(address, StockTerms.of(coupon), taken.end(), compareWithPseudonyms);
  }

  /**
   * A slot that is returned after its row was read stays its owner's here, and is released by its
   * work item once the coupon is ready.
   */
  private void takeRows() {
    Pages.<SlotOwner, SlotOwner>forEachReadAhead(
        after -> userCoupons.slotOwners(coupon.id(), after, limits.rebuildPage()),
        owner -> owner,
        this::takeRows,
        executor);
  }

  private void takeRows(List<SlotOwner> page) {
    var found = marksOf(page.stream().map(SlotOwner::userId).toList());
    // Of users whose rows were set back to before their erasure.
    var ofPseudonyms = erasedUsers.marksOfPseudonyms(withoutMark(page, found));
    Map<UserId, LedgerMark> wanted = new HashMap<>();
    Map<Slot, Integer> freed = new HashMap<>();
    for (var owner : page) {
      var user = owner.userId();
      erasedUsers.noteOwner(user);
      var mark = found.containsKey(user) ? found.get(user) : ofPseudonyms.get(user);
      if (owner.live() && !isReturnedAgain(owner, mark)) {
        wanted.put(user, new LedgerMark.Holds(owner.slot()));
        taken.add(owner.slot());
      } else {
        wanted.put(user, new LedgerMark.GaveBack(owner.slot()));
        freed.merge(owner.slot(), owner.generation(), Math::max);
      }
    }
    putChanged(wanted, found);
    erasedUsers.forgetPseudonyms(ofPseudonyms.keySet());
    if (!freed.isEmpty()) {
      recovery.putFreed(address, freed);
    }
    countRows(page.size());
    progress.run();
  }

  private Map<UserId, LedgerMark> marksOf(List<UserId> users) {
    return ledgerIsEmpty ? Map.of() : recovery.marks(address, users);
  }

  private List<UserId> withoutMark(List<SlotOwner> page, Map<UserId, LedgerMark> found) {
    return ledgerIsEmpty
        ? List.of()
        : page.stream()
            .map(SlotOwner::userId)
            .filter(user -> !user.isPseudonym() && !found.containsKey(user))
            .toList();
  }

  private void putChanged(Map<UserId, LedgerMark> wanted, Map<UserId, LedgerMark> found) {
    explained += wanted.size();
    wanted.entrySet().removeIf(mark -> mark.getValue().equals(found.get(mark.getKey())));
    if (!wanted.isEmpty()) {
      recovery.putMarks(address, wanted);
    }
  }

  /**
   * A slot is released in the stock only after its return is committed in the database. So if the
   * ledger shows it and the row does not, the database was set back, and another user may have the
   * slot.
   */
  private boolean isReturnedAgain(SlotOwner owner, @Nullable LedgerMark found) {
    if (!new LedgerMark.GaveBack(owner.slot()).equals(found)) {
      return false;
    }
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
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
      observer.observe(
          new RecoveryObservation.CouponProgress(
              coupon.id(), coupon.partition(), new Completion(rows, total, took())));
    }
  }

  private void takeRejections() {
    Pages.<UserId, UserId>forEach(
        after -> lateClaims.rejected(coupon.id(), after, limits.rebuildPage()),
        user -> user,
        page -> {
          Map<UserId, LedgerMark> wanted = new HashMap<>();
          page.forEach(user -> wanted.put(user, new LedgerMark.WasRejected()));
          erasedUsers.noteRejected(page);
          putChanged(wanted, marksOf(page));
          progress.run();
        });
  }

  /** Runs before slots are reserved for others: a user with a slot in the ledger keeps it. */
  private void takeLateClaimsThatHoldASlot() {
    if (ledgerIsEmpty) {
      return;
    }
    forEachPageOfLateClaims(page -> {
      var users = page.stream().map(LateClaim::userId).toList();
      var owners = userCoupons.owners(coupon.id(), users);
      Map<UserId, Slot> holders = new HashMap<>();
      recovery
          .marks(address, users)
          .forEach((user, mark) -> {
            if (mark instanceof LedgerMark.Holds(Slot slot) && !owners.contains(user)) {
              holders.put(user, slot);
            }
          });
      takeUnrecorded(holders);
    });
  }

  /** Lets users keep their slots of the ledger; one whose slot belongs to a row gets another. */
  private void takeUnrecorded(Map<UserId, Slot> holders) {
    unrecorded += holders.size();
    var withoutSlot = new ArrayList<UserId>();
    holders.forEach((user, slot) -> {
      if (take(slot)) {
        explained++;
      } else {
        withoutSlot.add(user);
      }
    });
    if (!withoutSlot.isEmpty()) {
      recovery.forget(address, withoutSlot);
    }
  }

  private boolean take(Slot slot) {
    return slot.number() <= total && taken.add(slot);
  }

  /** Makes users who hold a slot in the ledger, and are not in the database, late claims. */
  private void takeUnexplained() {
    Map<UserId, Slot> withoutRow = new HashMap<>();
    String cursor = null;
    do {
      var page = stock.ledger(address, cursor);
      withoutRow.putAll(holdersWithoutRow(forgetErasedWithoutSlot(page.marks())));
      cursor = page.next();
      progress.run();
    } while (cursor != null);
    forgetErased(withoutRow);
    for (var users : Pages.of(List.copyOf(withoutRow.keySet()), limits.rebuildPage())) {
      var waiting = lateClaims.waiting(coupon.id(), users);
      Map<UserId, Slot> unexplained = new HashMap<>();
      var late = new ArrayList<LateClaim>();
      for (var user : users) {
        var slot = withoutRow.get(user);
        if (slot != null && !waiting.containsKey(user)) {
          unexplained.put(user, slot);
          late.add(new LateClaim(coupon.id(), user, slot, coupon.partition(), clock.instant()));
        }
      }
      if (!late.isEmpty()) {
        lateClaims.add(late);
        takeUnrecorded(unexplained);
      }
      progress.run();
    }
  }

  /**
   * Removes those from the ledger who have a row with their pseudonym, or are the pseudonym of a
   * user who has one; and rejects pseudonyms whose user coupon is lost.
   */
  private void forgetErased(Map<UserId, Slot> withoutRow) {
    for (var users : Pages.of(List.copyOf(withoutRow.keySet()), limits.rebuildPage())) {
      var erased = new HashSet<>(erasedUsers.erasedAmong(users));
      var lost = new ArrayList<UserId>();
      for (var pseudonym : users.stream().filter(UserId::isPseudonym).toList()) {
        boolean hasRow = taken.contains(Objects.requireNonNull(withoutRow.get(pseudonym)));
        (hasRow ? erased : lost).add(pseudonym);
      }
      if (!erased.isEmpty()) {
        recovery.forget(address, List.copyOf(erased));
      }
      reject(lost);
      withoutRow.keySet().removeAll(erased);
      withoutRow.keySet().removeAll(lost);
    }
  }

  private void reject(List<UserId> lost) {
    if (!lost.isEmpty()) {
      erasedUsers.noteRejected(lost);
      noteRejections(lost);
      Map<UserId, LedgerMark> marks = new HashMap<>();
      lost.forEach(pseudonym -> marks.put(pseudonym, new LedgerMark.WasRejected()));
      recovery.putMarks(address, marks);
    }
  }

  /**
   * Removes users from the ledger whose slot went back or who were rejected, if they have a row or
   * a rejection with their pseudonym.
   *
   * @return the other marks
   */
  private Map<UserId, LedgerMark> forgetErasedWithoutSlot(Map<UserId, LedgerMark> marks) {
    var withoutSlot =
        marks.entrySet().stream()
            .filter(mark -> !(mark.getValue() instanceof LedgerMark.Holds))
            .map(Map.Entry::getKey)
            .filter(user -> !user.isPseudonym())
            .toList();
    var erased = erasedUsers.erasedAmong(withoutSlot);
    if (erased.isEmpty()) {
      return marks;
    }
    recovery.forget(address, List.copyOf(erased));
    var others = new HashMap<>(marks);
    others.keySet().removeAll(erased);
    return others;
  }

  private Map<UserId, Slot> holdersWithoutRow(Map<UserId, LedgerMark> marks) {
    Map<UserId, Slot> holders = new HashMap<>();
    var rejected = new ArrayList<UserId>();
    marks.forEach((user, mark) -> {
      switch (mark) {
        case LedgerMark.Holds(Slot slot) -> holders.put(user, slot);
        case LedgerMark.WasRejected _ -> rejected.add(user);
        case LedgerMark.GaveBack _ -> {}
      }
    });
    holders.keySet().removeAll(userCoupons.owners(coupon.id(), holders.keySet()));
    if (database == RecoverStock.Database.SET_BACK) {
      // It has lost rejections, and a rejection is final.
      noteRejections(rejected);
    }
    return holders;
  }

  private void noteRejections(List<UserId> users) {
    if (!users.isEmpty()) {
      lateClaims.settle(
          new LateClaimSettlement(
              coupon.partition(),
              address.epoch(),
              coupon.id(),
              List.of(),
              users,
              List.of(),
              clock.instant()));
    }
  }

  /** Late claims that are not in the ledger keep their promised slot if it is free. */
  private void reserveForLateClaims() {
    forEachPageOfLateClaims(page -> {
      var owners = userCoupons.owners(coupon.id(), page.stream().map(LateClaim::userId).toList());
      Map<Slot, SlotClaim> wanted = new HashMap<>();
      for (var claim : page) {
        var slot = claim.promised();
        if (!owners.contains(claim.userId()) && slot.number() <= total && !taken.contains(slot)) {
          wanted.putIfAbsent(slot, new SlotClaim(claim.userId(), slot));
        }
      }
      if (!wanted.isEmpty()) {
        recovery
            .reserve(address, List.copyOf(wanted.values()))
            .forEach(reserved -> taken.add(reserved.slot()));
      }
    });
  }

  private void forEachPageOfLateClaims(Consumer<List<LateClaim>> action) {
    Pages.<LateClaim, UserId>forEach(
        after -> lateClaims.page(coupon.id(), after, limits.rebuildPage()),
        LateClaim::userId,
        page -> {
          action.accept(page);
          progress.run();
        });
  }

  /** A row may be above the total if a database was set back; no slot there is offered. */
  private void offerFreeSlots(int next) {
    var free = new ArrayList<Slot>();
    taken
        .absentBelow(Math.min(next, total + 1))
        .forEach(slot -> {
          free.add(slot);
          if (free.size() == limits.rebuildPage()) {
            recovery.addFree(address, free);
            free.clear();
            progress.run();
          }
        });
    if (!free.isEmpty()) {
      recovery.addFree(address, free);
    }
  }
}
