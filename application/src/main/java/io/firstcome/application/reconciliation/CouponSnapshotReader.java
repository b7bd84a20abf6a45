package io.firstcome.application.reconciliation;

import io.firstcome.application.paging.Pages;
import io.firstcome.application.reconciliation.RunProofs.Phase;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.handoff.LogDepth;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.SlotSet;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.UserCouponRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads stock, log and rows of one coupon, once, while traffic runs.
 *
 * <p>Items move while this reads, so the place that is read last must already have each item of the
 * places read before. A slot moves from the free slots to the ledger, so the free slots are read
 * before the ledger to find lost slots. A claim appears in ledger and log at once, then in the
 * database, and leaves the log last: so rows are read before the ledger to find rows that the
 * ledger lacks, and the ledger before the log before the rows to find missing claims.
 *
 * <p>It needs memory of a few bits for each slot, and some 150 bytes for each user who has a slot
 * in the ledger and had no row when the rows were read.
 */
final class CouponSnapshotReader {

  private final Coupon coupon;
  private final CouponRepository coupons;
  private final StockAddress address;
  private final CouponStock stock;
  private final HandoffLog log;
  private final UserCouponRepository userCoupons;
  private final LateClaimRepository lateClaims;
  private final PendingErasures erasures;
  private final ComparisonLimits limits;
  private final Pace pace;
  private final ComparisonProgress progress;

  private final SlotSet used = new SlotSet();
  private final SlotSet free = new SlotSet();
  private final SlotSet inLedger = new SlotSet();

  /** Slots of rows, live or not. */
  private final SlotSet inRows = new SlotSet();

  private final SortedMap<SlotOwner, Optional<LedgerMark>> unconfirmed =
      new TreeMap<>(SlotOwner.BY_SLOT);

  /** Users who hold a slot in the ledger, and of whom no row has been read. */
  private final Map<UserId, Slot> withoutRow = new HashMap<>();

  /** When claims of users without a row were accepted, of those in the log. */
  private final Map<UserId, Instant> acceptedAt = new HashMap<>();

  private final SortedMap<Slot, Set<UserId>> missing = new TreeMap<>();
  private final List<EntryReference> stuck = new ArrayList<>();
  private long unrecorded;
  private @Nullable Instant oldest;
  private long pageBegan;

  CouponSnapshotReader(
      Coupon coupon,
      CouponRepository coupons,
      StockAddress address,
      CouponStock stock,
      HandoffLog log,
      UserCouponRepository userCoupons,
      LateClaimRepository lateClaims,
      PendingErasures erasures,
      ComparisonLimits limits,
      Pace pace,
      ComparisonProgress progress) {
    this.coupon = coupon;
    this.coupons = coupons;
    this.address = address;
    this.stock = stock;
    this.log = log;
    this.userCoupons = userCoupons;
    this.lateClaims = lateClaims;
    this.erasures = erasures;
    this.limits = limits;
    this.pace = pace;
    this.progress = progress;
  }

  /** Reads everything in the order that the class description explains. Can be called once. */
  CouponSnapshot read() {
    pageBegan = System.nanoTime();
    var terms = TermsComparison.compare(coupon, address, stock, coupons);
    var level = stock.level(address);
    readFreeSlots();
    progress.begin(Phase.ROWS, level.next() - 1);
    readRows();
    progress.begin(Phase.LEDGER, level.next() - 1);
    readLedger();
    var depth = log.depth(coupon.partition());
    progress.begin(Phase.LOG, depth.entries());
    readLog(depth);
    progress.begin(Phase.UNRECORDED, withoutRow.size());
    readUnrecorded();
    var duplicateUsers = userCoupons.duplicateUsers(coupon.id());
    endPage();
    return new CouponSnapshot(
        terms,
        level,
        used,
        free,
        inLedger,
        unconfirmed,
        withoutRow,
        missing,
        unrecorded,
        oldest,
        depth,
        stuck,
        duplicateUsers);
  }

  private void endPage(int compared) {
    endPage();
    progress.advance(compared);
  }

  private void endPage() {
    pace.restAfter(Duration.ofNanos(System.nanoTime() - pageBegan));
    pageBegan = System.nanoTime();
  }

  private void readFreeSlots() {
    Pages.<Slot, Slot>forEach(
        after -> stock.returned(address, after, limits.comparisonPage()),
        slot -> slot,
        page -> {
          page.forEach(free::add);
          endPage();
        });
  }

  private void readRows() {
    SlotOwner last = null;
    for (var page = rowsAfter(last); !page.isEmpty(); page = rowsAfter(last)) {
      readRows(page, last);
      last = page.getLast();
      endPage(page.size());
    }
  }

  private List<SlotOwner> rowsAfter(@Nullable SlotOwner last) {
    return userCoupons.slotOwners(coupon.id(), last, limits.comparisonPage());
  }

  /** A row whose slot is returned between the reads of row and mark is no discrepancy. */
  private void readRows(List<SlotOwner> page, @Nullable SlotOwner before) {
    var marks = stock.find(address, page.stream().map(SlotOwner::userId).toList());
    var suspects = new HashSet<SlotOwner>();
    for (var owner : page) {
      inRows.add(owner.slot());
      if (owner.live()) {
        used.add(owner.slot());
      }
      if (!isConfirmed(owner, marks.get(owner.userId()))) {
        suspects.add(owner);
      }
    }
    if (!suspects.isEmpty()) {
      suspects.retainAll(new HashSet<>(rowsAfter(before)));
      removeThoseBeingErased(suspects);
      suspects.forEach(
          owner -> unconfirmed.put(owner, Optional.ofNullable(marks.get(owner.userId()))));
    }
  }

  private void removeThoseBeingErased(Set<SlotOwner> suspects) {
    if (suspects.isEmpty()) {
      return;
    }
    var pseudonyms = erasures.pseudonyms(coupon);
    suspects.removeIf(owner -> {
      var pseudonym = pseudonyms.get(owner.userId());
      return pseudonym != null
          && isConfirmed(owner, stock.find(address, List.of(pseudonym)).get(pseudonym));
    });
  }

  /** A returned slot is its owner's in the ledger until it is released. */
  private static boolean isConfirmed(SlotOwner owner, @Nullable LedgerMark mark) {
    return owner.mark().equals(mark)
        || (!owner.live() && new LedgerMark.Holds(owner.slot()).equals(mark));
  }

  private void readLedger() {
    String cursor = null;
    do {
      var page = stock.ledger(address, cursor);
      readLedgerPage(page.marks());
      cursor = page.next();
      endPage(page.marks().size());
    } while (cursor != null);
  }

  /** If no row had a slot, its holder has no row, or one that the last read of rows finds. */
  private void readLedgerPage(Map<UserId, LedgerMark> marks) {
    Map<UserId, Slot> holders = new HashMap<>();
    marks.forEach((user, mark) -> {
      switch (mark) {
        case LedgerMark.Holds(Slot slot) -> {
          holders.put(user, slot);
          inLedger.add(slot);
          used.add(slot);
        }
        case LedgerMark.GaveBack(Slot slot) -> inLedger.add(slot);
        case LedgerMark.WasRejected _ -> {}
      }
    });
    var mayHaveRow =
        holders.entrySet().stream()
            .filter(holder -> inRows.contains(holder.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    holders.keySet().removeAll(userCoupons.owners(coupon.id(), mayHaveRow));
    if (holders.keySet().stream().anyMatch(UserId::isPseudonym)) {
      holders.keySet().removeAll(pseudonymsOfRows());
    }
    withoutRow.putAll(holders);
  }

  /** The pseudonyms of users who are being erased and still have a row. */
  private Set<UserId> pseudonymsOfRows() {
    var pseudonyms = erasures.pseudonyms(coupon);
    pseudonyms.keySet().retainAll(userCoupons.owners(coupon.id(), pseudonyms.keySet()));
    return Set.copyOf(pseudonyms.values());
  }

  /** Notes when claims in the log were accepted, and which entries are stuck. */
  private void readLog(LogDepth depth) {
    if (withoutRow.isEmpty() && depth.oldestAge().compareTo(limits.stuckAfter()) < 0) {
      return;
    }
    var stuckSince = depth.asOf().minus(limits.stuckAfter());
    Pages.<HandoffEntry, String>forEach(
        after -> log.peek(coupon.partition(), after, limits.logPage()),
        entry -> entry.reference().entryId(),
        page -> {
          page.stream()
              .filter(entry -> entry.couponId().equals(coupon.id()))
              .forEach(entry -> readEntry(entry, stuckSince));
          progress.advance(page.size());
        });
  }

  private void readEntry(HandoffEntry entry, Instant stuckSince) {
    for (var claim : entry.claims()) {
      if (withoutRow.containsKey(claim.userId())) {
        acceptedAt.putIfAbsent(claim.userId(), entry.acceptedAt());
      }
    }
    if (!entry.acceptedAt().isAfter(stuckSince) && stuck.size() < limits.discrepanciesNamed()) {
      stuck.add(entry.reference());
    }
  }

  /** A claim that was late when this began, and no longer is, has a row or was rejected. */
  private void readUnrecorded() {
    boolean someAreLate = !lateClaims.page(coupon.id(), null, 1).isEmpty();
    for (var users : Pages.of(List.copyOf(withoutRow.keySet()), limits.comparisonPage())) {
      var late = someAreLate ? lateClaims.waiting(coupon.id(), users) : Map.<UserId, LateClaim>of();
      var recordedSince = userCoupons.owners(coupon.id(), users);
      withoutRow.keySet().removeAll(recordedSince);
      var candidates = new ArrayList<UserId>();
      for (var user : users) {
        if (withoutRow.containsKey(user)) {
          var claim = late.get(user);
          var at = claim != null ? claim.acceptedAt() : acceptedAt.get(user);
          if (at == null) {
            candidates.add(user);
          } else {
            unrecorded++;
            oldest = oldest == null || at.isBefore(oldest) ? at : oldest;
          }
        }
      }
      addThoseStillHolding(candidates);
      progress.advance(users.size());
    }
  }

  /** A late claim may have been rejected since the ledger was read; then it is not missing. */
  private void addThoseStillHolding(List<UserId> users) {
    if (!users.isEmpty()) {
      stock
          .find(address, users)
          .forEach((user, mark) -> {
            if (mark instanceof LedgerMark.Holds(Slot slot)) {
              missing.computeIfAbsent(slot, absent -> new HashSet<>()).add(user);
            }
          });
    }
  }
}
