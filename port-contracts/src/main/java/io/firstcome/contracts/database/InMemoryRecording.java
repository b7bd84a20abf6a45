package io.firstcome.contracts.database;

import static java.util.Objects.requireNonNull;

import io.firstcome.contracts.database.InMemoryTables.CouponRow;
import io.firstcome.domain.clock.ClockEstimate;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.port.UnrecordableException;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Writes the rows of one batch in memory. It decides first and writes afterwards, so that a
 * rejected batch has no effect.
 */
final class InMemoryRecording {

  private final InMemoryTables tables;
  private final Instant now;
  private final List<Runnable> writes = new ArrayList<>();
  private final HashSet<Object> slotsOfBatch = new HashSet<>();
  private final HashSet<CouponCode> codesOfBatch = new HashSet<>();

  InMemoryRecording(InMemoryTables tables, Instant now) {
    this.tables = tables;
    this.now = now;
  }

  List<RecordOutcome> record(List<AcceptedClaim> claims) {
    requireEachUserOnce(claims);
    var outcomes = claims.stream().map(this::decide).toList();
    writes.forEach(Runnable::run);
    return outcomes;
  }

  /** Adds the claim to the late claims, unless it is there or was rejected, which is final. */
  static void keep(InMemoryTables tables, LateClaim claim) {
    var rows = tables.rows(claim.couponId());
    if (!rows.rejected.containsKey(claim.userId())) {
      rows.late.putIfAbsent(claim.userId(), claim);
    }
  }

  private RecordOutcome decide(AcceptedClaim claim) {
    var rows = tables.rows(claim.couponId());
    var pseudonym = rows.pseudonyms.get(claim.identity().code());
    var own = rows.byUser.get(pseudonym == null ? claim.userId() : pseudonym);
    if (own != null) {
      return own.slot().equals(claim.slot())
          ? new RecordOutcome.AlreadyRecorded()
          : new RecordOutcome.UserHasOtherSlot(own.slot());
    }
    var stored = tables.coupons.get(claim.couponId());
    if (stored == null || stored.stored().removal() != null) {
      return new RecordOutcome.UnknownCoupon();
    }
    var coupon = stored.coupon();
    if (!coupon.partition().equals(claim.partition())) {
      throw unrecordable("a claim names a partition that is not its coupon's");
    }
    var current = tables.epoch(claim.partition());
    if (!claim.epoch().equals(current)) {
      writes.add(() -> keep(tables, late(claim)));
      return new RecordOutcome.Late(current);
    }
    return decideInEpoch(claim, coupon.definition().totalQuantity());
  }

  private RecordOutcome decideInEpoch(AcceptedClaim claim, int totalQuantity) {
    if (claim.slot().number() > totalQuantity) {
      return new RecordOutcome.SlotOutOfRange(totalQuantity);
    }
    if (!claim.identity().id().couponId().equals(claim.couponId())) {
      throw unrecordable("a claim has the id of another coupon's user coupon");
    }
    record SlotKey(Object couponId, Object slot) {}
    if (tables.rows(claim.couponId()).liveSlots.contains(claim.slot())
        || !slotsOfBatch.add(new SlotKey(claim.couponId(), claim.slot()))) {
      writes.add(() -> keep(tables, late(claim)));
      return new RecordOutcome.SlotTaken();
    }
    var code = claim.identity().code();
    if (tables.codes.contains(code) || !codesOfBatch.add(code)) {
      throw unrecordable("a claim has the code of another user coupon");
    }
    writes.add(() -> insert(claim));
    return new RecordOutcome.Recorded();
  }

  private void insert(AcceptedClaim claim) {
    var rows = tables.rows(claim.couponId());
    var stored = requireNonNull(tables.coupons.get(claim.couponId()));
    var coupon = stored.coupon();
    int generation = rows.generations.getOrDefault(claim.slot(), 0) + 1;
    var row =
        UserCoupon.Issued.of(
            atPlausibleTime(claim, stored),
            coupon.definition().validity(),
            generation,
            stored.termsRevision());
    rows.add(row);
    tables.codes.add(claim.identity().code());
    tables.addToOutbox(CouponEvent.of(row));
    if (generation == 1) {
      CouponEvent.ofFirstIssue(
              coupon.id(), row.slot(), coupon.definition().totalQuantity(), row.issuedAt())
          .forEach(tables::addToOutbox);
    }
  }

  private AcceptedClaim atPlausibleTime(AcceptedClaim claim, CouponRow stored) {
    var opensAt = stored.coupon().definition().window().opensAt();
    var first = later(opensAt, stored.definedAt());
    var acceptedAt = claim.acceptedAt();
    if (acceptedAt.isAfter(now.plus(ClockEstimate.MAX_DIFFERENCE))) {
      acceptedAt = later(now, stored.definedAt());
    } else if (acceptedAt.isBefore(first.minus(ClockEstimate.MAX_DIFFERENCE))) {
      acceptedAt = first;
    }
    return new AcceptedClaim(
        claim.couponId(),
        claim.userId(),
        claim.slot(),
        claim.partition(),
        claim.epoch(),
        acceptedAt,
        claim.identity());
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static LateClaim late(AcceptedClaim claim) {
    return new LateClaim(
        claim.couponId(), claim.userId(), claim.slot(), claim.partition(), claim.acceptedAt());
  }

  private static void requireEachUserOnce(List<AcceptedClaim> claims) {
    record UserKey(Object couponId, Object userId) {}
    var seen = new HashSet<UserKey>();
    for (var claim : claims) {
      if (!seen.add(new UserKey(claim.couponId(), claim.userId()))) {
        throw new IllegalArgumentException(
            "claims must name each user of a coupon once: twice in " + claim.couponId());
      }
    }
  }

  private static UnrecordableException unrecordable(String reason) {
    return new UnrecordableException(reason, new IllegalArgumentException(reason));
  }
}
