package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.UserCouponRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares stock, log and database of one coupon while traffic runs.
 *
 * <p>A claim appears in ledger and log at once, then in the database, and leaves the log last. So
 * rows are read before the ledger when looking for rows that the ledger lacks, and the ledger
 * before the log before the rows when looking for claims that are nowhere: what is read last must
 * already have the item. Slots are compared, never counts.
 */
public final class ProveExactness {

  private final CouponRepository coupons;
  private final CouponStock stock;
  private final HandoffLog log;
  private final UserCouponRepository userCoupons;
  private final LateClaimRepository lateClaims;
  private final KnownEpochs epochs;
  private final InstantSource clock;
  private final ApplicationLimits limits;

  public ProveExactness(
      CouponRepository coupons,
      CouponStock stock,
      HandoffLog log,
      UserCouponRepository userCoupons,
      LateClaimRepository lateClaims,
      KnownEpochs epochs,
      InstantSource clock,
      ApplicationLimits limits) {
    this.coupons = coupons;
    this.stock = stock;
    this.log = log;
    this.userCoupons = userCoupons;
    this.lateClaims = lateClaims;
    this.epochs = epochs;
    this.clock = clock;
    this.limits = limits;
  }

  /**
   * The comparison at one time.
   *
   * @param total slots of the coupon
   * @param slotsUsed slots that somebody holds, by the ledger or a row
   * @param free the others
   * @param unrecorded claims on their way to the database
   * @param missing claims that the ledger has and neither log nor database
   * @param extra rows that the ledger lacks or gives another slot
   * @param duplicateUsers users with more than one row
   * @param oldestUnrecorded how long the oldest of the unrecorded has been on its way; zero if none
   *     is
   * @param handoffDepth entries in the log of the coupon's partition
   */
  public record Proof(
      int total,
      int slotsUsed,
      int free,
      long unrecorded,
      long missing,
      long extra,
      long duplicateUsers,
      Duration oldestUnrecorded,
      long handoffDepth,
      Instant checkedAt) {

    /** Whether every slot given is recorded, once, for the user it was given to. */
    public boolean exact() {
      return unrecorded == 0 && missing == 0 && extra == 0 && duplicateUsers == 0;
    }
  }

  /**
   * The proof of that coupon, or empty if there is none.
   *
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock could not be asked
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database could not be
   *     asked
   */
  public Optional<Proof> prove(CouponId couponId) {
    return coupons.find(couponId).map(coupon -> new Comparison(coupon).run());
  }

  private final class Comparison {

    private final Coupon coupon;
    private final StockAddress address;
    private final BitSet used = new BitSet();
    private long unrecorded;
    private long missing;
    private long extra;
    private @Nullable Instant oldest;

    Comparison(Coupon coupon) {
      this.coupon = coupon;
      this.address = epochs.address(coupon);
    }

    Proof run() {
      lookForExtraRows();
      lookForMissingRows();
      int total = coupon.definition().totalQuantity();
      var now = clock.instant();
      var since = oldest;
      return new Proof(
          total,
          used.cardinality(),
          total - used.cardinality(),
          unrecorded,
          missing,
          extra,
          userCoupons.duplicateUsers(coupon.id()),
          since == null || since.isAfter(now) ? Duration.ZERO : Duration.between(since, now),
          log.depth(coupon.partition()).entries(),
          now);
    }

    private void lookForExtraRows() {
      Pages.<SlotClaim, Slot>forEach(
          after -> userCoupons.holders(coupon.id(), after, limits.pageSize()),
          SlotClaim::slot,
          page -> {
            var marks = stock.find(address, page.stream().map(SlotClaim::userId).toList());
            for (var row : page) {
              used.set(row.slot().number());
              if (!new LedgerMark.Holds(row.slot()).equals(marks.get(row.userId()))) {
                extra++;
              }
            }
          });
    }

    private void lookForMissingRows() {
      Map<UserId, Slot> withoutRow = new HashMap<>();
      String cursor = null;
      do {
        var page = stock.ledger(address, cursor);
        withoutRow.putAll(withoutRow(page.marks()));
        cursor = page.next();
      } while (cursor != null);
      withoutRow.values().forEach(slot -> used.set(slot.number()));

      var logged = withoutRow.isEmpty() ? Map.<UserId, Instant>of() : logged();
      for (var users : Pages.of(List.copyOf(withoutRow.keySet()), limits.pageSize())) {
        var late = lateClaims.waiting(coupon.id(), users);
        var recordedSince = userCoupons.find(coupon.id(), users);
        var nowhere = new ArrayList<UserId>();
        for (var user : users) {
          if (recordedSince.containsKey(user)) {
            continue;
          }
          var claim = late.get(user);
          var acceptedAt = claim != null ? claim.acceptedAt() : logged.get(user);
          if (acceptedAt == null) {
            nowhere.add(user);
          } else {
            countUnrecorded(acceptedAt);
          }
        }
        missing += stillHolding(nowhere);
      }
    }

    /** A late claim may have been rejected since the ledger was read; then it is not missing. */
    private long stillHolding(List<UserId> users) {
      return users.isEmpty()
          ? 0
          : stock.find(address, users).values().stream()
              .filter(mark -> mark instanceof LedgerMark.Holds)
              .count();
    }

    private Map<UserId, Slot> withoutRow(Map<UserId, LedgerMark> marks) {
      Map<UserId, Slot> holders = new HashMap<>();
      marks.forEach((user, mark) -> {
        if (mark instanceof LedgerMark.Holds(Slot slot)) {
          holders.put(user, slot);
        }
      });
      holders.keySet().removeAll(userCoupons.find(coupon.id(), holders.keySet()).keySet());
      return holders;
    }

    private Map<UserId, Instant> logged() {
      Map<UserId, Instant> acceptedAt = new HashMap<>();
      Pages.<HandoffEntry, String>forEach(
          after -> log.peek(coupon.partition(), after, limits.relayBatch()),
          entry -> entry.reference().entryId(),
          page ->
              page.stream()
                  .filter(entry -> entry.couponId().equals(coupon.id()))
                  .forEach(entry ->
                      entry
                          .claims()
                          .forEach(c -> acceptedAt.putIfAbsent(c.userId(), entry.acceptedAt()))));
      return acceptedAt;
    }

    private void countUnrecorded(Instant acceptedAt) {
      unrecorded++;
      if (oldest == null || acceptedAt.isBefore(oldest)) {
        oldest = acceptedAt;
      }
    }
  }
}
