package io.firstcome.application.recording;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.stock.StockSync;
import io.firstcome.application.usercoupon.ReleaseSlots;
import io.firstcome.application.usercoupon.UserCouponAnswer;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.handoff.LateClaimSettlement;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseLockedException;
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

/** The row of one of two coupons is locked, as by SELECT … FOR UPDATE in another session. */
class LockedCouponTest {

  private static final int ALL = 100;

  private final Coupon locked = aCoupon().withId("LOCKED").withTotal(3).returningToStock().build();
  private final Coupon other = aCoupon().withId("OTHER").withTotal(3).returningToStock().build();
  private final InMemoryService service = InMemoryService.with(locked);
  private final List<CouponId> reported = new ArrayList<>();

  private final Set<CouponId> blocked = new HashSet<>();

  /** The calls that were blocked by the lock. */
  private final List<String> calls = new ArrayList<>();

  private final Interposed database =
      new Interposed((method, arguments, call) -> {
        if (needsTheRow(method.getName(), arguments)) {
          calls.add(method.getName());
          assertThat(calls).as("calls blocked by the lock").hasSizeLessThan(20);
          throw new DatabaseLockedException("locked", new IllegalStateException());
        }
        return call.call();
      });

  private final IssuanceObserver observer =
      observation -> {
        if (observation instanceof RecordingObservation.CouponLocked(CouponId couponId)) {
          reported.add(couponId);
        }
      };

  private final RecordAcceptedClaims recorder =
      service.recorder(
          database.port(UserCouponRepository.class, service.database.userCoupons()), observer);
  private final SettleLateClaims settling = service.settleLateClaims(database);

  private boolean needsTheRow(String method, List<?> arguments) {
    return !blocked.isEmpty()
        && switch (method) {
          case "record" ->
              ((List<?>) arguments.getFirst())
                  .stream().map(AcceptedClaim.class::cast).anyMatch(this::isOfLockedCoupon);
          case "settle" ->
              ((LateClaimSettlement) arguments.getFirst()).couponId().equals(locked.id());
          case "noteApplied" -> arguments.getFirst().equals(locked.id());
          case "noteReleased" -> arguments.getFirst().equals(rowOfAnn().id());
          default -> false;
        };
  }

  private boolean isOfLockedCoupon(AcceptedClaim claim) {
    return blocked.contains(claim.couponId());
  }

  private UserCoupon rowOfAnn() {
    return service.row(locked, "ann").orElseThrow();
  }

  @BeforeEach
  void defineTheOther() {
    lock(locked);
    service.defineCoupon.define(other.definition(), null, OPERATOR);
  }

  private void lock(Coupon coupon) {
    blocked.add(coupon.id());
    service.lockedRows.add(coupon.id());
  }

  private void unlock() {
    blocked.clear();
    service.lockedRows.clear();
  }

  private void claimAndRecord(String... users) throws InterruptedException {
    for (var user : users) {
      service.claim(locked, user);
      service.claim(other, user);
    }
    recorder.record(service.stock.log().readNew(ALL, Duration.ZERO));
  }

  private List<LateClaim> late() {
    return service.database.lateClaims().page(locked.id(), null, ALL);
  }

  @Test
  void claims_of_a_locked_coupon_are_kept_as_late_and_the_others_in_the_batch_are_recorded()
      throws InterruptedException {
    claimAndRecord("ann", "bob");

    assertThat(service.row(other, "ann")).isPresent();
    assertThat(service.row(other, "bob")).isPresent();
    assertThat(late()).extracting(LateClaim::promised).containsExactly(new Slot(1), new Slot(2));
    assertThat(service.logDepth()).isZero();
    assertThat(service.deadLetters()).isEmpty();
    assertThat(reported).containsExactly(locked.id());
  }

  @Test
  void a_coupon_known_as_locked_blocks_neither_recorders_nor_settling()
      throws InterruptedException {
    claimAndRecord("ann");
    calls.clear();

    claimAndRecord("bob");
    settling.settle(InMemoryService.PARTITION);
    claimAndRecord("cleo");

    assertThat(calls).isEmpty();
    assertThat(late()).hasSize(3);
    assertThat(service.row(other, "cleo")).isPresent();
  }

  /** Each call that is blocked by a lock takes seconds. */
  @Test
  void many_locked_coupons_delay_a_batch_once() throws InterruptedException {
    var third = aCoupon().withId("THIRD").withTotal(3).build();
    service.defineCoupon.define(third.definition(), null, OPERATOR);
    lock(third);
    service.claim(third, "ann");

    claimAndRecord("ann");

    assertThat(calls).containsExactly("record");
    assertThat(service.row(other, "ann")).isPresent();
    assertThat(reported).containsExactlyInAnyOrder(locked.id(), third.id());
  }

  /** For example a lock on the table: only an attempt shows which coupons can be recorded. */
  @Test
  void without_a_locked_coupon_row_each_coupon_is_tried_separately() throws InterruptedException {
    service.lockedRows.clear();

    claimAndRecord("ann");

    assertThat(calls).containsExactly("record", "record");
    assertThat(service.row(other, "ann")).isPresent();
    assertThat(late()).hasSize(1);
  }

  @Test
  void after_the_lock_is_released_all_claims_are_recorded_with_their_slots()
      throws InterruptedException {
    claimAndRecord("ann", "bob");
    unlock();

    settling.settle(InMemoryService.PARTITION);
    claimAndRecord("cleo");

    assertThat(late()).isEmpty();
    assertThat(rowOfAnn().slot()).isEqualTo(new Slot(1));
    assertThat(service.row(locked, "cleo").orElseThrow().slot()).isEqualTo(new Slot(3));
    assertThat(service.proof(locked).exact()).isTrue();
  }

  /** The lock is detected only when a row is written. */
  @Test
  void late_claims_of_other_coupons_are_settled() throws InterruptedException {
    claimAndRecord("ann");
    service.lockedRows.clear();
    var bob =
        new LateClaim(
            other.id(), new UserId("bob"), new Slot(2), InMemoryService.PARTITION, Instant.now());
    service.database.lateClaims().add(List.of(bob));

    assertThat(settling.settle(InMemoryService.PARTITION)).isEqualTo(1);

    assertThat(service.row(other, "bob")).isPresent();
    assertThat(late()).hasSize(1);
  }

  @Test
  void changes_of_other_coupons_are_applied_to_the_stock() throws InterruptedException {
    unlock();
    claimAndRecord("ann");
    pause(locked);
    pause(other);
    lock(locked);
    var stockSync =
        new StockSync(
            database.port(CouponRepository.class, service.database.coupons()),
            service.stock.stock(),
            service.epochs,
            service.endLeases,
            service.clock,
            observer);

    stockSync.catchUp();

    assertThat(calls).containsExactly("noteApplied");
    assertThat(service.database.coupons().isApplied(other.id(), 2)).isTrue();
    assertThat(service.database.coupons().isApplied(locked.id(), 2)).isFalse();
  }

  private void pause(Coupon coupon) {
    var stored = service.database.coupons().find(coupon.id()).orElseThrow();
    assertThat(stored.status()).isEqualTo(CouponStatus.ACTIVE);
    service
        .database
        .coupons()
        .change((CouponChange.Changed) stored.pause(), OPERATOR, Instant.now());
  }

  @Test
  void slots_of_other_coupons_are_released() throws InterruptedException {
    unlock();
    claimAndRecord("ann");
    service.stock.restart();
    giveBack(locked);
    giveBack(other);
    service.checkTheFence();
    lock(locked);
    var releaseSlots =
        new ReleaseSlots(
            service.catalog,
            database.port(SlotReturns.class, service.database.slotReturns()),
            service.stock.stock(),
            service.epochs,
            service.endLeases,
            service.limits.userCoupons(),
            observer);

    releaseSlots.catchUp();

    assertThat(calls).containsExactly("noteReleased");
    assertThat(service.database.slotReturns().pending(null, ALL))
        .extracting(UserCoupon::couponId)
        .containsExactly(locked.id());
  }

  private void giveBack(Coupon coupon) {
    var row = service.row(coupon, "ann").orElseThrow();
    assertThat(service.giveBackUserCoupon.giveBack(row.id(), Actor.customer(row.userId())))
        .isInstanceOf(UserCouponAnswer.Done.class);
  }
}
