package io.firstcome.application.reconciliation;

import io.firstcome.application.paging.Pages;
import io.firstcome.application.reconciliation.RunProofs.Phase;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.handoff.LogDepth;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.reconciliation.Discrepancy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One comparison of stock, log and database of one coupon, by slot, while traffic runs.
 *
 * <p>Items move during the comparison, so the place that is read last must already have each item
 * of the places read before. A slot moves from the free slots to the ledger, so the free slots are
 * read before the ledger to find lost slots. A claim appears in ledger and log at once, then in the
 * database, and leaves the log last: so rows are read before the ledger to find rows that the
 * ledger lacks, and the ledger before the log before the rows to find missing claims.
 *
 * <p>It needs memory of a few bits for each slot, and some 150 bytes for each user who has a slot
 * in the ledger and had no row when the rows were read.
 */
final class CouponComparison {

  private static final Comparator<Slot> BY_NUMBER = Comparator.comparingInt(Slot::number);

  private final Coupon coupon;
  private final CouponRepository coupons;
  private final StockAddress address;
  private final CouponStock stock;
  private final HandoffLog log;
  private final UserCouponRepository userCoupons;
  private final LateClaimRepository lateClaims;
  private final InstantSource clock;
  private final ComparisonLimits limits;
  private final Pace pace;
  private final ComparisonProgress progress;
  private final int total;

  /** Slots with an owner in a row or the ledger, and those that can be claimed again. */
  private final BitSet used = new BitSet();

  private final BitSet freeAgain = new BitSet();

  /** Slots of rows, live or not. */
  private final BitSet inRows = new BitSet();

  /** Slots of ledger marks, whether or not they were returned. */
  private final BitSet inLedger = new BitSet();

  /** Rows that the ledger does not confirm, and its marks of their users. */
  private final Map<SlotOwner, Optional<LedgerMark>> unconfirmed = new TreeMap<>(SlotOwner.BY_SLOT);

  /** Users who hold a slot in the ledger, and of whom no row has been read. */
  private final Map<UserId, Holder> withoutRow = new HashMap<>();

  private final Map<Slot, Set<UserId>> missing = new TreeMap<>(BY_NUMBER);
  private final List<Discrepancy> discrepancies = new ArrayList<>();
  private long unrecorded;
  private long lost;
  private @Nullable Instant oldest;
  private long pageBegan;

  /** A slot, and when its claim was accepted if the log has it. */
  private record Holder(Slot slot, @Nullable Instant acceptedAt) {}

  CouponComparison(
      Coupon coupon,
      CouponRepository coupons,
      StockAddress address,
      CouponStock stock,
      HandoffLog log,
      UserCouponRepository userCoupons,
      LateClaimRepository lateClaims,
      InstantSource clock,
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
    this.clock = clock;
    this.limits = limits;
    this.pace = pace;
    this.progress = progress;
    this.total = coupon.definition().totalQuantity();
  }

  ExactnessProof run() {
    pageBegan = System.nanoTime();
    // First, as the number of discrepancies that are reported is limited.
    TermsComparison.compare(coupon, address, stock, coupons).ifPresent(this::name);
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
    findMissing();
    nameRows();
    nameMissing();
    nameLostSlots(level);
    var proof =
        new ExactnessProof(
            total,
            used.cardinality(),
            total - used.cardinality() - (int) lost,
            unrecorded,
            missing.values().stream().mapToLong(Set::size).sum(),
            unconfirmed.size(),
            lost,
            userCoupons.duplicateUsers(coupon.id()),
            oldest == null ? Duration.ZERO : new LogDepth(0, oldest, depth.asOf()).oldestAge(),
            depth.entries(),
            discrepancies,
            clock.instant());
    endPage();
    return proof;
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
          page.forEach(slot -> freeAgain.set(slot.number()));
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
      inRows.set(owner.slot().number());
      if (owner.live()) {
        used.set(owner.slot().number());
      }
      if (!isConfirmed(owner, marks.get(owner.userId()))) {
        suspects.add(owner);
      }
    }
    if (!suspects.isEmpty()) {
      suspects.retainAll(rowsAfter(before));
      suspects.forEach(
          owner -> unconfirmed.put(owner, Optional.ofNullable(marks.get(owner.userId()))));
    }
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
    withoutRow.values().forEach(holder -> used.set(holder.slot().number()));
  }

  /** If no row had a slot, its holder has no row, or one that the last read of rows finds. */
  private void readLedgerPage(Map<UserId, LedgerMark> marks) {
    Map<UserId, Slot> holders = new HashMap<>();
    marks.forEach((user, mark) -> {
      switch (mark) {
        case LedgerMark.Holds(Slot slot) -> {
          holders.put(user, slot);
          inLedger.set(slot.number());
        }
        case LedgerMark.GaveBack(Slot slot) -> inLedger.set(slot.number());
        case LedgerMark.WasRejected _ -> {}
      }
    });
    var mayHaveRow =
        holders.entrySet().stream()
            .filter(holder -> inRows.get(holder.getValue().number()))
            .map(Map.Entry::getKey)
            .toList();
    holders.keySet().removeAll(userCoupons.owners(coupon.id(), mayHaveRow));
    holders.forEach((user, slot) -> withoutRow.put(user, new Holder(slot, null)));
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
              .forEach(entry -> {
                entry.claims().forEach(claim -> noteLogged(claim.userId(), entry.acceptedAt()));
                if (!entry.acceptedAt().isAfter(stuckSince)) {
                  name(new Discrepancy.StuckEntry(entry.reference()));
                }
              });
          progress.advance(page.size());
        });
  }

  private void noteLogged(UserId user, Instant acceptedAt) {
    withoutRow.computeIfPresent(
        user,
        (same, holder) ->
            holder.acceptedAt() == null ? new Holder(holder.slot(), acceptedAt) : holder);
  }

  /** A claim that was late when this began, and no longer is, has a row or was rejected. */
  private void findMissing() {
    boolean someAreLate = !lateClaims.page(coupon.id(), null, 1).isEmpty();
    for (var users : Pages.of(List.copyOf(withoutRow.keySet()), limits.comparisonPage())) {
      var late = someAreLate ? lateClaims.waiting(coupon.id(), users) : Map.<UserId, LateClaim>of();
      var recordedSince = userCoupons.owners(coupon.id(), users);
      withoutRow.keySet().removeAll(recordedSince);
      var candidates = new ArrayList<UserId>();
      for (var user : users) {
        var holder = withoutRow.get(user);
        if (holder != null) {
          var claim = late.get(user);
          var acceptedAt = claim != null ? claim.acceptedAt() : holder.acceptedAt();
          if (acceptedAt == null) {
            candidates.add(user);
          } else {
            unrecorded++;
            oldest = oldest == null || acceptedAt.isBefore(oldest) ? acceptedAt : oldest;
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

  private void nameRows() {
    Map<Slot, UserId> holders = new HashMap<>();
    withoutRow.forEach((user, holder) -> holders.put(holder.slot(), user));
    unconfirmed.forEach((owner, mark) -> {
      var slot = owner.slot();
      var holder = owner.live() ? holders.get(slot) : null;
      if (isOutOfRange(slot)) {
        name(new Discrepancy.SlotOutOfRange(owner.userId(), slot));
      } else if (mark.orElse(null) instanceof LedgerMark.Holds(Slot other) && !other.equals(slot)) {
        name(new Discrepancy.WrongSlot(owner.userId(), other, slot));
      } else if (holder != null) {
        name(new Discrepancy.WrongUser(slot, holder, owner.userId()));
      } else {
        name(new Discrepancy.ExtraRow(owner.userId(), slot));
      }
    });
  }

  private void nameMissing() {
    Set<Slot> ofRows = new HashSet<>();
    unconfirmed.keySet().stream()
        .filter(SlotOwner::live)
        .forEach(owner -> ofRows.add(owner.slot()));
    missing.forEach((slot, users) -> {
      for (var user : users) {
        if (isOutOfRange(slot)) {
          name(new Discrepancy.SlotOutOfRange(user, slot));
        } else if (!ofRows.contains(slot)) {
          name(new Discrepancy.MissingRow(user, slot));
        }
      }
    });
  }

  private void nameLostSlots(StockLevel level) {
    for (int slot = 1; slot < Math.min(level.next(), total + 1); slot++) {
      if (!used.get(slot) && !freeAgain.get(slot) && !inLedger.get(slot)) {
        lost++;
        name(new Discrepancy.LostSlot(new Slot(slot)));
      }
    }
  }

  private boolean isOutOfRange(Slot slot) {
    return slot.number() > total;
  }

  private void name(Discrepancy discrepancy) {
    if (discrepancies.size() < limits.discrepanciesNamed()) {
      discrepancies.add(discrepancy);
    }
  }
}
