package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Discrepancy;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong is named, nothing else is, and it heals. */
@Timeout(30)
class ReconcileCouponsTest {

  private static final int TOTAL = 60;
  private static final int CLAIMED = 40;

  private final Coupon coupon = aCoupon().withTotal(TOTAL).build();
  private final World world = World.with(coupon);

  /** The discrepancies told, and whether they were sent to recovery. */
  private record Told(Set<Discrepancy> discrepancies, boolean healing) {}

  private final List<Told> told = new ArrayList<>();

  private final IssuanceObserver listener =
      new IssuanceObserver() {
        @Override
        public void discrepanciesFound(CouponId id, List<Discrepancy> found, boolean healing) {
          told.add(new Told(Set.copyOf(found), healing));
        }
      };

  private final ProveExactness proof = proof(LimitsForTests.small());
  private final ReconcileCoupons reconciler = reconciler(proof);

  @Test
  void the_proof_counts_what_is_unrecorded_used_and_free() {
    claimedAndRecorded(3);
    claim("dee");
    claim("eve");

    var unrecorded = world.proof(coupon);

    assertThat(unrecorded.unrecorded()).isEqualTo(2);
    assertThat(unrecorded.exact()).isFalse();
    assertThat(unrecorded.slotsUsed()).isEqualTo(5);
    assertThat(unrecorded.free()).isEqualTo(TOTAL - 5);
    assertThat(unrecorded.discrepancies()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void every_fault_of_a_poisoned_coupon_is_named_and_nothing_else(long seed) {
    var faults = poison(new Random(seed));
    claim("waiting");
    faults.add(
        new Discrepancy.StuckEntry(
            world.stock.log().peek(World.PARTITION, null, 1).getFirst().reference()));

    var found = proof(LimitsForTests.stuckAtOnce()).prove(coupon.id()).orElseThrow();

    assertThat(found.discrepancies()).containsExactlyInAnyOrderElementsOf(faults);
    assertThat(found.missing()).isEqualTo(4);
    assertThat(found.extra()).isEqualTo(3);
    assertThat(found.lost()).isEqualTo(1);
    assertThat(found.unrecorded()).isEqualTo(1);
    assertThat(found.exact()).isFalse();
  }

  @Test
  void what_is_wrong_is_told_once_and_healed_by_a_recovery() {
    var faults = poison(new Random(9));
    var before = world.epoch();

    reconciler.reconcileNext();
    world.lookAtTheFence();
    world.settleAll();
    reconciler.reconcileNext();

    assertThat(told).containsExactly(new Told(faults, true));
    assertThat(world.epoch()).isEqualTo(before.next());
    assertThat(world.proof(coupon).exact()).isTrue();
    assertThat(world.proof(coupon).slotsUsed()).isEqualTo(TOTAL - world.proof(coupon).free());
  }

  @Test
  void an_entry_that_is_stuck_is_told_and_needs_no_recovery() {
    claim("waiting");
    var before = world.epoch();

    reconciler(proof(LimitsForTests.stuckAtOnce())).reconcileNext();
    world.lookAtTheFence();

    assertThat(told).singleElement().satisfies(once -> assertThat(once.healing()).isFalse());
    assertThat(world.epoch()).isEqualTo(before);
  }

  @Test
  void what_a_recovery_has_not_healed_is_told_and_not_recovered_again() {
    poison(new Random(10));
    reconciler.reconcileNext();
    // The recovery that was asked for does not come.
    reconciler.reconcileNext();

    assertThat(told).extracting(Told::healing).containsExactly(true, false);
  }

  @Test
  void a_coupon_that_is_being_recovered_is_passed_over() {
    claimedAndRecorded(3);
    world.stock.restart();

    assertThat(reconciler.reconcileNext()).isTrue();

    assertThat(told).isEmpty();
  }

  @Test
  void it_rests_after_each_page_of_a_coupon() {
    claimedAndRecorded(CLAIMED);
    var rests = new ArrayList<Duration>();

    reconciler(proof, rests::add).reconcileNext();

    // Of rows and of the ledger, and once for what is neither.
    int pages = Math.ceilDiv(CLAIMED, LimitsForTests.small().pageSize());
    assertThat(rests).hasSizeGreaterThan(pages + 1).allMatch(Duration::isPositive);
  }

  /** Claims, records, and then changes stock and database by hand; gives what is wrong now. */
  private Set<Discrepancy> poison(Random random) {
    claimedAndRecorded(CLAIMED);
    List<String> dropped = List.of("missing-1", "missing-2", "lost");
    dropped.forEach(this::claim);
    var log = world.stock.log();
    log.peek(World.PARTITION, null, 10).forEach(e -> log.recorded(List.of(e.reference())));

    var some = new ArrayList<>(IntStream.rangeClosed(1, CLAIMED).boxed().toList());
    Collections.shuffle(some, random);
    var wrongUser = new Slot(some.get(0));
    var wrongSlot = new Slot(some.get(1));
    var elsewhere = new Slot(CLAIMED + 5 + random.nextInt(5));
    var intruder = new Slot(CLAIMED + 10 + random.nextInt(5));
    var farAway = new Slot(TOTAL + 1 + random.nextInt(100));

    Map<UserId, LedgerMark> marks = new HashMap<>();
    marks.put(new UserId("stranger"), new LedgerMark.Holds(wrongUser));
    marks.put(user(wrongSlot.number()), new LedgerMark.Holds(elsewhere));
    marks.put(new UserId("far-away"), new LedgerMark.Holds(farAway));
    changeTheStock(marks, List.of(user(wrongUser.number()), new UserId("lost")), CLAIMED + 4);
    world.database.userCoupons().record(List.of(row("intruder", intruder)));

    return new HashSet<>(
        Set.of(
            new Discrepancy.MissingRow(new UserId("missing-1"), new Slot(CLAIMED + 1)),
            new Discrepancy.MissingRow(new UserId("missing-2"), new Slot(CLAIMED + 2)),
            new Discrepancy.LostSlot(new Slot(CLAIMED + 3)),
            new Discrepancy.WrongUser(wrongUser, new UserId("stranger"), user(wrongUser.number())),
            new Discrepancy.WrongSlot(user(wrongSlot.number()), elsewhere, wrongSlot),
            new Discrepancy.SlotOutOfRange(new UserId("far-away"), farAway),
            new Discrepancy.ExtraRow(new UserId("intruder"), intruder)));
  }

  /** As only somebody with a Redis client can: a recovery that rebuilds nothing. */
  private void changeTheStock(Map<UserId, LedgerMark> marks, List<UserId> forgotten, int next) {
    var epoch = world.epoch().next();
    var address = new StockAddress(coupon.id(), World.PARTITION, epoch);
    var recovery = world.stock.recovery();
    recovery.begin(World.PARTITION, epoch);
    recovery.putMarks(address, marks);
    recovery.forget(address, forgotten);
    recovery.ready(address, StockTerms.of(coupon), next);
    recovery.open(World.PARTITION, epoch);
    world.database.epochs().raise(World.PARTITION, epoch);
    world.lookAtTheFence();
  }

  private AcceptedClaim row(String user, Slot slot) {
    var userId = new UserId(user);
    return new AcceptedClaim(
        coupon.id(),
        userId,
        slot,
        World.PARTITION,
        world.epoch(),
        Instant.EPOCH,
        CouponFixtures.codeKeys().identityOf(coupon.codeKeyVersion(), coupon.id(), userId));
  }

  private void claimedAndRecorded(int users) {
    for (int i = 1; i <= users; i++) {
      claim(user(i).value());
    }
    while (world.logDepth() > 0) {
      world.relayAndRecord();
    }
  }

  private void claim(String user) {
    assertThat(world.claim(coupon, user)).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  private static UserId user(int number) {
    return new UserId("user-" + number);
  }

  private ProveExactness proof(ApplicationLimits limits) {
    return new ProveExactness(
        world.database.coupons(),
        world.stock.stock(),
        world.stock.log(),
        world.database.userCoupons(),
        world.database.lateClaims(),
        world.epochs,
        InstantSource.system(),
        limits);
  }

  private ReconcileCoupons reconciler(ProveExactness by) {
    return reconciler(by, Pace.WITHOUT_REST);
  }

  private ReconcileCoupons reconciler(ProveExactness by, Pace pace) {
    return new ReconcileCoupons(
        world.database.coupons(),
        by,
        world.bringToStock(world.reporting, listener),
        world.epochs,
        world.keeper,
        listener,
        pace);
  }
}
