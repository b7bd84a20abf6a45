package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;

/** The base of the contracts of the database's ports: each test begins with an empty database. */
abstract class DatabaseContract {

  /** The epoch of the coupons' partitions, unless a test sets another one. */
  static final long EPOCH = 3;

  static final int PAGE = 1_000;

  static final CouponId UNKNOWN = new CouponId("UNKNOWN");

  private DatabasePorts database = new InMemoryDatabase().ports();

  /** The ports of a database without any rows. */
  protected abstract DatabasePorts emptyDatabase();

  @BeforeEach
  void beginWithAnEmptyDatabase() {
    database = emptyDatabase();
  }

  DatabasePorts database() {
    return database;
  }

  /** The coupon, defined and in {@link #EPOCH}. */
  Coupon defined(CouponFixtures.CouponBuilder coupon) {
    return database.define(coupon.build(), EPOCH);
  }

  List<RecordOutcome> record(AcceptedClaim... claims) {
    return database.userCoupons().record(List.of(claims));
  }

  /** Claims of that many users, the first of whom has slot 1. */
  static List<AcceptedClaim> claims(Coupon coupon, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(slot -> claim(coupon, "user%06d".formatted(slot), slot))
        .toList();
  }

  static AcceptedClaim claim(Coupon coupon, String user, int slot) {
    return CouponFixtures.acceptedClaim(coupon, user, slot, EPOCH);
  }

  static AcceptedClaim claimOfEpoch(long epoch, Coupon coupon, String user, int slot) {
    return CouponFixtures.acceptedClaim(coupon, user, slot, epoch);
  }

  static LateClaim late(AcceptedClaim claim) {
    return LateClaim.of(claim);
  }

  static SlotClaim slotClaim(AcceptedClaim claim) {
    return new SlotClaim(claim.userId(), claim.slot());
  }

  static UserId user(String id) {
    return new UserId(id);
  }

  static Slot slot(int number) {
    return new Slot(number);
  }

  /** The user returns the user coupon, and its slot goes back to stock. */
  void giveBack(Coupon coupon, String user) {
    var row = database.userCoupons().find(coupon.id(), user(user)).orElseThrow();
    takeStep(row, ((UserCoupon.Issued) row).giveBack(ACCEPTED_AT, true));
  }

  void takeStep(UserCoupon before, UserCoupon after) {
    var actor = Actor.customer(before.userId());
    var change = new UserCouponChange(before, after, actor, ACCEPTED_AT);
    assertThat(database.userCoupons().change(change)).isTrue();
  }

  List<SlotClaim> holdersOf(Coupon coupon) {
    return database.holders(coupon.id());
  }

  List<LateClaim> lateClaimsOf(Coupon coupon) {
    return database.lateClaims().page(coupon.id(), null, PAGE);
  }

  /** Asserts that the users of these claims hold their slots, and no others do. */
  void assertRowsOf(Coupon coupon, AcceptedClaim... claims) {
    assertThat(holdersOf(coupon))
        .containsExactlyInAnyOrderElementsOf(
            List.of(claims).stream().map(DatabaseContract::slotClaim).toList());
  }

  /** Asserts that the coupon has these late claims and no others. */
  void assertLateClaimsOf(Coupon coupon, AcceptedClaim... claims) {
    assertThat(lateClaimsOf(coupon))
        .containsExactlyInAnyOrderElementsOf(
            List.of(claims).stream().map(DatabaseContract::late).toList());
  }
}
