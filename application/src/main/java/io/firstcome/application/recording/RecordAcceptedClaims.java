package io.firstcome.application.recording;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.ClaimObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.UnrecordableException;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes the accepted claims of a stock in Redis to the database. User coupons are written only
 * here, by {@link SettleLateClaims}, and by a stock that is in the database.
 *
 * <p>It returns when each claim is stored durably: as a row, a late claim or a dead letter. Only
 * then are the log entries removed, and may the message be acknowledged. While the database is not
 * reachable it waits and keeps the messages, so that none reaches its delivery limit.
 */
public final class RecordAcceptedClaims {

  private final CouponCatalog catalog;
  private final CodeKeys codeKeys;
  private final UserCouponRepository userCoupons;
  private final HandoffLog log;
  private final LateClaimRepository lateClaims;
  private final LockedCoupons lockedCoupons;
  private final KeepDeadLetters keepDeadLetters;
  private final RowArrivals arrivals;
  private final StockKeeper keeper;
  private final InstantSource clock;
  private final IssuanceObserver observer;
  private final ServerWait serverWait;

  public RecordAcceptedClaims(
      CouponCatalog catalog,
      CodeKeys codeKeys,
      UserCouponRepository userCoupons,
      HandoffLog log,
      LateClaimRepository lateClaims,
      LockedCoupons lockedCoupons,
      KeepDeadLetters keepDeadLetters,
      RowArrivals arrivals,
      StockKeeper keeper,
      InstantSource clock,
      RecordingLimits limits,
      IssuanceObserver observer) {
    this.catalog = catalog;
    this.codeKeys = codeKeys;
    this.userCoupons = userCoupons;
    this.log = log;
    this.lateClaims = lateClaims;
    this.lockedCoupons = lockedCoupons;
    this.keepDeadLetters = keepDeadLetters;
    this.arrivals = arrivals;
    this.keeper = keeper;
    this.clock = clock;
    this.observer = observer;
    this.serverWait = new ServerWait(limits, observer);
  }

  /** Whether recording waits for the database at this moment. */
  public boolean isPaused() {
    return serverWait.isWaiting();
  }

  /** An accepted claim and the entry it came in. */
  private record Item(HandoffEntry entry, AcceptedClaim claim) {}

  private record Owner(CouponId couponId, UserId userId) {}

  /**
   * Stores every claim of the entries durably, and removes the entries from the log.
   *
   * @param entries of any coupons; the same claim may be in several
   * @throws InterruptedException if the thread was interrupted; some claims may be stored
   */
  public void record(List<HandoffEntry> entries) throws InterruptedException {
    serverWait.untilDone(() -> keepDeadLetters.keepSetAside(recordAll(entries)));
    removeFromLog(entries);
    observeStored(entries);
  }

  private void observeStored(List<HandoffEntry> entries) {
    var now = clock.instant();
    for (var entry : entries) {
      var age = Duration.between(entry.acceptedAt(), now);
      observer.observe(
          new RecordingObservation.EntryStored(age.isNegative() ? Duration.ZERO : age));
    }
  }

  /**
   * Stores every claim of the entries as a row or a late claim, if possible, and does not change
   * the log.
   *
   * @return the others, which cannot be recorded as they are
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable;
   *     some claims may be stored
   */
  List<SetAsideClaim> recordAll(List<HandoffEntry> entries) {
    var setAside = new ArrayList<SetAsideClaim>();
    var items = new ArrayList<Item>();
    var forSettling = new ArrayList<HandoffEntry>();
    for (var entry : entries) {
      var coupon = catalog.ofAcceptedClaim(entry.couponId()).orElse(null);
      if (coupon == null) {
        entry.claims().forEach(claim -> setAside.add(aside(entry, claim, "unknown coupon")));
      } else if (!codeKeys.isInstalled(coupon.codeKeyVersion())) {
        forSettling.add(entry);
        observer.observe(new ClaimObservation.CodeKeyMissing(coupon.id(), coupon.codeKeyVersion()));
      } else if (lockedCoupons.contains(coupon.id())) {
        forSettling.add(entry);
      } else {
        items.addAll(items(entry, coupon));
      }
    }
    leaveToSettling(forSettling);
    for (var round : withoutRepeats(items)) {
      record(round, setAside);
    }
    return setAside;
  }

  /**
   * Stores claims as late claims, which need neither an identity nor a lock, until they can be
   * settled with the slots that they hold: by an instance that has the coupon's key, or when the
   * lock is released. Requeueing the message instead would count towards the queue's delivery
   * limit.
   */
  private void leaveToSettling(List<HandoffEntry> entries) {
    var late = new ArrayList<LateClaim>();
    for (var entry : entries) {
      for (var claim : entry.claims()) {
        late.add(
            new LateClaim(
                entry.couponId(),
                claim.userId(),
                claim.slot(),
                entry.reference().partition(),
                entry.acceptedAt()));
      }
    }
    if (!late.isEmpty()) {
      lateClaims.add(late);
    }
  }

  private List<Item> items(HandoffEntry entry, Coupon coupon) {
    var reference = entry.reference();
    return entry.claims().stream()
        .map(claim ->
            new Item(
                entry,
                new AcceptedClaim(
                    entry.couponId(),
                    claim.userId(),
                    claim.slot(),
                    reference.partition(),
                    reference.epoch(),
                    entry.acceptedAt(),
                    codeKeys.identityOf(
                        coupon.codeKeyVersion(), entry.couponId(), claim.userId()))))
        .toList();
  }

  /** Splits into rounds without a repeated user of a coupon; nearly always into one. */
  private static List<List<Item>> withoutRepeats(List<Item> items) {
    var rounds = new ArrayList<List<Item>>();
    var rest = items;
    while (!rest.isEmpty()) {
      Set<Owner> seen = new HashSet<>();
      var round = new ArrayList<Item>();
      var repeats = new ArrayList<Item>();
      for (var item : rest) {
        boolean first = seen.add(new Owner(item.claim().couponId(), item.claim().userId()));
        (first ? round : repeats).add(item);
      }
      rounds.add(round);
      rest = repeats;
    }
    return rounds;
  }

  private void record(List<Item> items, List<SetAsideClaim> setAside) {
    var claims = items.stream().map(Item::claim).toList();
    long started = System.nanoTime();
    List<RecordOutcome> outcomes;
    try {
      outcomes = userCoupons.record(claims);
    } catch (UnrecordableException e) {
      isolate(items, setAside);
      return;
    } catch (DatabaseLockedException e) {
      recordApart(items, setAside);
      return;
    }
    var took = Duration.ofNanos(System.nanoTime() - started);
    observer.observe(new RecordingObservation.ClaimsRecorded(claims, outcomes, took));
    Map<CouponId, List<UserId>> rows = new HashMap<>();
    for (int i = 0; i < items.size(); i++) {
      var item = items.get(i);
      var outcome = outcomes.get(i);
      switch (outcome) {
        case RecordOutcome.Recorded _,
            RecordOutcome.AlreadyRecorded _,
            RecordOutcome.UserHasOtherSlot _ ->
            rows.computeIfAbsent(item.claim().couponId(), absent -> new ArrayList<>())
                .add(item.claim().userId());
        case RecordOutcome.Late _ -> {}
        case RecordOutcome.SlotTaken() ->
            keeper.requestRecovery(item.claim().partition(), item.claim().epoch());
        case RecordOutcome.UnknownCoupon() -> {
          // The rows of a rehearsal are removed; a repeated message of it needs no dead letter.
          if (!item.claim().couponId().isOfRehearsal()) {
            setAside.add(aside(item, "unknown coupon"));
          }
        }
        case RecordOutcome.SlotOutOfRange(int total) ->
            setAside.add(aside(item, "slot above the total of " + total));
      }
    }
    rows.forEach(arrivals::announce);
  }

  /** Halves a batch that the database rejects until each invalid claim is alone. */
  private void isolate(List<Item> items, List<SetAsideClaim> setAside) {
    if (items.size() == 1) {
      setAside.add(aside(items.getFirst(), SetAsideClaim.REFUSED));
      return;
    }
    int middle = items.size() / 2;
    record(items.subList(0, middle), setAside);
    record(items.subList(middle, items.size()), setAside);
  }

  /**
   * Claims that wait for a lock of another session do not delay those of other coupons. If the lock
   * is not on the row of a partition, each coupon is recorded alone.
   */
  private void recordApart(List<Item> items, List<SetAsideClaim> setAside) {
    var byCoupon =
        items.stream()
            .collect(groupingBy(item -> item.claim().couponId(), LinkedHashMap::new, toList()));
    if (byCoupon.size() == 1) {
      keepUntilUnlocked(items);
      return;
    }
    var locked = lockedCoupons.lockedNow(byCoupon.keySet());
    if (locked.isEmpty()) {
      byCoupon.values().forEach(ofOne -> record(ofOne, setAside));
      return;
    }
    byCoupon.forEach((couponId, ofOne) -> {
      if (locked.contains(couponId)) {
        keepUntilUnlocked(ofOne);
      }
    });
    byCoupon.keySet().removeAll(locked);
    if (!byCoupon.isEmpty()) {
      record(byCoupon.values().stream().flatMap(List::stream).toList(), setAside);
    }
  }

  private void keepUntilUnlocked(List<Item> ofOneCoupon) {
    var first = ofOneCoupon.getFirst().claim();
    lockedCoupons.add(first.partition(), first.couponId());
    observer.observe(new RecordingObservation.CouponLocked(first.couponId()));
    lateClaims.add(ofOneCoupon.stream().map(item -> LateClaim.of(item.claim())).toList());
  }

  private static SetAsideClaim aside(Item item, String reason) {
    return aside(item.entry(), new SlotClaim(item.claim().userId(), item.claim().slot()), reason);
  }

  private static SetAsideClaim aside(HandoffEntry entry, SlotClaim claim, String reason) {
    return new SetAsideClaim(
        new HandoffEntry(entry.reference(), entry.couponId(), entry.acceptedAt(), List.of(claim)),
        reason);
  }

  /** An entry that stays is published again, found to be recorded, and removed then. */
  private void removeFromLog(List<HandoffEntry> entries) {
    try {
      log.recorded(entries.stream().map(HandoffEntry::reference).toList());
    } catch (StockUnavailableException e) {
      observer.observe(new OperationObservation.RoundFailed("removing recorded entries", e));
    }
  }
}
