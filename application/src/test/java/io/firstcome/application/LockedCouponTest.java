package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody holds a lock on the row of one of two coupons, as with SELECT … FOR UPDATE. */
class LockedCouponTest {

  private static final int ALL = 100;

  private final Coupon locked = aCoupon().withId("LOCKED").withTotal(3).returningToStock().build();
  private final Coupon other = aCoupon().withId("OTHER").withTotal(3).returningToStock().build();
  private final World world = World.with(locked);
  private final List<CouponId> reported = new ArrayList<>();

  private final Set<CouponId> blocked = new HashSet<>();

  /** What met the lock. */
  private final List<String> calls = new ArrayList<>();

  private final Interposed database =
      new Interposed((method, arguments, call) -> {
        if (needsTheRow(method.getName(), arguments)) {
          calls.add(method.getName());
          assertThat(calls).as("calls that met the lock").hasSizeLessThan(20);
          throw new DatabaseLockedException("locked", new IllegalStateException());
        }
        return call.call();
      });

  private final IssuanceObserver observer =
      new IssuanceObserver() {
        @Override
        public void couponLocked(CouponId couponId) {
          reported.add(couponId);
        }
      };

  private final RecordAcceptedClaims recorder =
      world.recorder(
          database.port(UserCouponRepository.class, world.database.userCoupons()), observer);
  private final SettleLateClaims settling = world.settleLateClaims(database);

  private boolean needsTheRow(String method, List<?> arguments) {
    return !blocked.isEmpty()
        && switch (method) {
          case "record" ->
              ((List<?>) arguments.getFirst())
                  .stream().map(AcceptedClaim.class::cast).anyMatch(this::isOfTheLocked);
          case "settle" -> arguments.get(2).equals(locked.id());
          case "nowInStock" ->
              arguments.getFirst().equals(locked.id())
                  || arguments.getFirst().equals(rowOfAnn().id());
          default -> false;
        };
  }

  private boolean isOfTheLocked(AcceptedClaim claim) {
    return blocked.contains(claim.couponId());
  }

  private UserCoupon rowOfAnn() {
    return world.row(locked, "ann").orElseThrow();
  }

  @BeforeEach
  void defineTheOther() {
    lock(locked);
    world.defineCoupon.define(other.definition(), null, OPERATOR);
  }

  private void lock(Coupon coupon) {
    blocked.add(coupon.id());
    world.lockedRows.add(coupon.id());
  }

  private void unlock() {
    blocked.clear();
    world.lockedRows.clear();
  }

  private void claimAndRecord(String... users) throws InterruptedException {
    for (var user : users) {
      world.claim(locked, user);
      world.claim(other, user);
    }
    recorder.record(world.stock.log().readNew(ALL, Duration.ZERO));
  }

  private List<LateClaim> late() {
    return world.database.lateClaims().page(locked.id(), null, ALL);
  }

  @Test
  void its_claims_are_kept_and_those_of_the_other_one_in_the_batch_are_recorded()
      throws InterruptedException {
    claimAndRecord("ann", "bob");

    assertThat(world.row(other, "ann")).isPresent();
    assertThat(world.row(other, "bob")).isPresent();
    assertThat(late()).extracting(LateClaim::promised).containsExactly(new Slot(1), new Slot(2));
    assertThat(world.logDepth()).isZero();
    assertThat(world.deadLetters()).isEmpty();
    assertThat(reported).containsExactly(locked.id());
  }

  @Test
  void recorders_do_not_wait_for_it_again_and_it_is_asked_for_by_settling_alone()
      throws InterruptedException {
    claimAndRecord("ann");
    calls.clear();

    claimAndRecord("bob");
    settling.settle(World.PARTITION);
    claimAndRecord("cleo");

    assertThat(calls).isEmpty();
    assertThat(late()).hasSize(3);
    assertThat(world.row(other, "cleo")).isPresent();
  }

  /** Each try that meets a lock takes seconds. */
  @Test
  void many_locked_coupons_hold_a_batch_up_once() throws InterruptedException {
    var third = aCoupon().withId("THIRD").withTotal(3).build();
    world.defineCoupon.define(third.definition(), null, OPERATOR);
    lock(third);
    world.claim(third, "ann");

    claimAndRecord("ann");

    assertThat(calls).containsExactly("record");
    assertThat(world.row(other, "ann")).isPresent();
    assertThat(reported).containsExactlyInAnyOrder(locked.id(), third.id());
  }

  /** Such as one of a whole table: which coupons can be recorded shows only when they are tried. */
  @Test
  void where_no_row_of_a_coupon_is_locked_each_coupon_is_tried_alone() throws InterruptedException {
    world.lockedRows.clear();

    claimAndRecord("ann");

    assertThat(calls).containsExactly("record", "record");
    assertThat(world.row(other, "ann")).isPresent();
    assertThat(late()).hasSize(1);
  }

  @Test
  void when_the_lock_is_gone_all_have_rows_with_their_slots_and_are_recorded_at_once_again()
      throws InterruptedException {
    claimAndRecord("ann", "bob");
    unlock();

    settling.settle(World.PARTITION);
    claimAndRecord("cleo");

    assertThat(late()).isEmpty();
    assertThat(rowOfAnn().slot()).isEqualTo(new Slot(1));
    assertThat(world.row(locked, "cleo").orElseThrow().slot()).isEqualTo(new Slot(3));
    assertThat(world.proof(locked).exact()).isTrue();
  }

  /** Where the lock shows only when a row is written. */
  @Test
  void late_claims_of_others_are_settled() throws InterruptedException {
    claimAndRecord("ann");
    world.lockedRows.clear();
    var bob =
        new LateClaim(other.id(), new UserId("bob"), new Slot(2), World.PARTITION, Instant.now());
    world.database.lateClaims().add(List.of(bob));

    assertThat(settling.settle(World.PARTITION)).isEqualTo(1);

    assertThat(world.row(other, "bob")).isPresent();
    assertThat(late()).hasSize(1);
  }

  @Test
  void changes_of_others_are_brought_to_stock() throws InterruptedException {
    unlock();
    claimAndRecord("ann");
    pause(locked);
    pause(other);
    lock(locked);
    var bringToStock =
        new BringToStock(
            database.port(CouponRepository.class, world.database.coupons()),
            world.stock.stock(),
            world.epochs,
            world.clock,
            observer);

    bringToStock.catchUp();

    assertThat(calls).containsExactly("nowInStock");
    assertThat(world.database.coupons().isInStock(other.id(), 2)).isTrue();
    assertThat(world.database.coupons().isInStock(locked.id(), 2)).isFalse();
  }

  private void pause(Coupon coupon) {
    var stored = world.database.coupons().find(coupon.id()).orElseThrow();
    assertThat(stored.status()).isEqualTo(CouponStatus.ACTIVE);
    world.database.coupons().change((CouponChange.Changed) stored.pause(), OPERATOR, Instant.now());
  }

  @Test
  void slots_of_others_are_released() throws InterruptedException {
    unlock();
    claimAndRecord("ann");
    world.stock.restart();
    giveBack(locked);
    giveBack(other);
    world.lookAtTheFence();
    lock(locked);
    var releaseSlots =
        new ReleaseSlots(
            world.catalog,
            database.port(SlotReturns.class, world.database.slotReturns()),
            world.stock.stock(),
            world.epochs,
            world.limits,
            observer);

    releaseSlots.catchUp();

    assertThat(calls).containsExactly("nowInStock");
    assertThat(world.database.slotReturns().pending(null, ALL))
        .extracting(UserCoupon::couponId)
        .containsExactly(locked.id());
  }

  private void giveBack(Coupon coupon) {
    var row = world.row(coupon, "ann").orElseThrow();
    assertThat(world.giveBackUserCoupon.giveBack(row.id(), Actor.customer(row.userId())))
        .isInstanceOf(UserCouponAnswer.Done.class);
  }
}
