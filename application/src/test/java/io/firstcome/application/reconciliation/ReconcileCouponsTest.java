package io.firstcome.application.reconciliation;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.LimitsForTests;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.ConsistencyObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.reconciliation.Discrepancy;
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

/** Every discrepancy is reported, nothing else is, and recoveries heal them. */
@Timeout(30)
class ReconcileCouponsTest {

  private static final int TOTAL = 60;
  private static final int CLAIMED = 40;

  private final Coupon coupon = aCoupon().withTotal(TOTAL).build();
  private final InMemoryService service = InMemoryService.with(coupon);

  /** The discrepancies that were reported, and whether a recovery was requested. */
  private record Report(Set<Discrepancy> discrepancies, boolean healing) {}

  private final List<Report> reported = new ArrayList<>();

  private final IssuanceObserver listener =
      observation -> {
        if (observation
            instanceof
            ConsistencyObservation.DiscrepanciesFound(
                _,
                List<Discrepancy> found,
                boolean healing)) {
          reported.add(new Report(Set.copyOf(found), healing));
        }
      };

  private final ProveExactness proof = proof(LimitsForTests.small().comparison());
  private final ReconcileCoupons reconciler = reconciler(proof);

  @Test
  void the_proof_counts_unrecorded_claims_used_slots_and_free_slots() {
    claimedAndRecorded(3);
    claim("dee");
    claim("eve");

    var unrecorded = service.proof(coupon);

    assertThat(unrecorded.unrecorded()).isEqualTo(2);
    assertThat(unrecorded.exact()).isFalse();
    assertThat(unrecorded.slotsUsed()).isEqualTo(5);
    assertThat(unrecorded.free()).isEqualTo(TOTAL - 5);
    assertThat(unrecorded.discrepancies()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void every_fault_of_a_corrupted_coupon_is_reported_and_nothing_else(long seed) {
    var faults = corrupt(new Random(seed));
    claim("waiting");
    faults.add(
        new Discrepancy.StuckEntry(
            service.stock.log().peek(InMemoryService.PARTITION, null, 1).getFirst().reference()));

    var found = proof(LimitsForTests.comparison(Duration.ZERO)).prove(coupon.id()).orElseThrow();

    assertThat(found.discrepancies()).containsExactlyInAnyOrderElementsOf(faults);
    assertThat(found.missing()).isEqualTo(4);
    assertThat(found.extra()).isEqualTo(3);
    assertThat(found.lost()).isEqualTo(1);
    assertThat(found.unrecorded()).isEqualTo(1);
    assertThat(found.exact()).isFalse();
  }

  @Test
  void a_discrepancy_is_reported_once_and_healed_by_a_recovery() {
    var faults = corrupt(new Random(9));
    var before = service.epoch();

    reconciler.reconcileNext();
    service.checkTheFence();
    service.settleAll();
    reconciler.reconcileNext();

    assertThat(reported).containsExactly(new Report(faults, true));
    assertThat(service.epoch()).isEqualTo(before.next());
    assertThat(service.proof(coupon).exact()).isTrue();
    assertThat(service.proof(coupon).slotsUsed()).isEqualTo(TOTAL - service.proof(coupon).free());
  }

  @Test
  void a_stuck_entry_is_reported_without_a_recovery() {
    claim("waiting");
    var before = service.epoch();

    reconciler(proof(LimitsForTests.comparison(Duration.ZERO))).reconcileNext();
    service.checkTheFence();

    assertThat(reported).singleElement().satisfies(once -> assertThat(once.healing()).isFalse());
    assertThat(service.epoch()).isEqualTo(before);
  }

  @Test
  void a_discrepancy_that_a_recovery_has_not_healed_is_reported_without_another_recovery() {
    corrupt(new Random(10));
    reconciler.reconcileNext();
    // The requested recovery does not run.
    reconciler.reconcileNext();

    assertThat(reported).extracting(Report::healing).containsExactly(true, false);
  }

  @Test
  void a_coupon_that_is_being_recovered_is_skipped() {
    claimedAndRecorded(3);
    service.stock.restart();

    assertThat(reconciler.reconcileNext()).isTrue();

    assertThat(reported).isEmpty();
  }

  @Test
  void the_reconciler_pauses_after_each_page_of_a_coupon() {
    claimedAndRecorded(CLAIMED);
    var pauses = new ArrayList<Duration>();

    reconciler(proof, pauses::add).reconcileNext();

    // After each page of rows and of the ledger, and once after all other work.
    int pages = Math.ceilDiv(CLAIMED, LimitsForTests.small().comparison().comparisonPage());
    assertThat(pauses).hasSizeGreaterThan(pages + 1).allMatch(Duration::isPositive);
  }

  /** Claims, records, and then corrupts stock and database; returns the discrepancies. */
  private Set<Discrepancy> corrupt(Random random) {
    claimedAndRecorded(CLAIMED);
    List<String> dropped = List.of("missing-1", "missing-2", "lost");
    dropped.forEach(this::claim);
    var log = service.stock.log();
    log.peek(InMemoryService.PARTITION, null, 10)
        .forEach(e -> log.recorded(List.of(e.reference())));

    var some = new ArrayList<>(IntStream.rangeClosed(1, CLAIMED).boxed().toList());
    Collections.shuffle(some, random);
    var wrongUser = new Slot(some.get(0));
    var wrongSlot = new Slot(some.get(1));
    var elsewhere = new Slot(CLAIMED + 5 + random.nextInt(5));
    var intruder = new Slot(CLAIMED + 10 + random.nextInt(5));
    var farAway = new Slot(TOTAL + 1 + random.nextInt(100));

    Map<UserId, LedgerMark> marks = new HashMap<>();
    marks.put(new UserId("ofUnknownCoupon"), new LedgerMark.Holds(wrongUser));
    marks.put(user(wrongSlot.number()), new LedgerMark.Holds(elsewhere));
    marks.put(new UserId("far-away"), new LedgerMark.Holds(farAway));
    changeTheStock(marks, List.of(user(wrongUser.number()), new UserId("lost")), CLAIMED + 4);
    service.database.userCoupons().record(List.of(row("intruder", intruder)));

    return new HashSet<>(
        Set.of(
            new Discrepancy.MissingRow(new UserId("missing-1"), new Slot(CLAIMED + 1)),
            new Discrepancy.MissingRow(new UserId("missing-2"), new Slot(CLAIMED + 2)),
            new Discrepancy.LostSlot(new Slot(CLAIMED + 3)),
            new Discrepancy.WrongUser(
                wrongUser, new UserId("ofUnknownCoupon"), user(wrongUser.number())),
            new Discrepancy.WrongSlot(user(wrongSlot.number()), elsewhere, wrongSlot),
            new Discrepancy.SlotOutOfRange(new UserId("far-away"), farAway),
            new Discrepancy.ExtraRow(new UserId("intruder"), intruder)));
  }

  /** Changes the stock by a recovery that rebuilds nothing, as only a Redis client can. */
  private void changeTheStock(Map<UserId, LedgerMark> marks, List<UserId> forgotten, int next) {
    var epoch = service.epoch().next();
    var address = new StockAddress(coupon.id(), InMemoryService.PARTITION, epoch);
    var recovery = service.stock.recovery();
    recovery.begin(InMemoryService.PARTITION, epoch);
    recovery.putMarks(address, marks);
    recovery.forget(address, forgotten);
    recovery.ready(address, StockTerms.of(coupon), next, false);
    recovery.open(InMemoryService.PARTITION, epoch);
    service.database.epochs().raise(InMemoryService.PARTITION, epoch);
    service.checkTheFence();
  }

  private AcceptedClaim row(String user, Slot slot) {
    var userId = new UserId(user);
    return new AcceptedClaim(
        coupon.id(),
        userId,
        slot,
        InMemoryService.PARTITION,
        service.epoch(),
        Instant.EPOCH,
        CouponFixtures.codeKeys().identityOf(coupon.codeKeyVersion(), coupon.id(), userId));
  }

  private void claimedAndRecorded(int users) {
    for (int i = 1; i <= users; i++) {
      claim(user(i).value());
    }
    while (service.logDepth() > 0) {
      service.relayAndRecord();
    }
  }

  private void claim(String user) {
    assertThat(service.claim(coupon, user)).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  private static UserId user(int number) {
    return new UserId("user-" + number);
  }

  private ProveExactness proof(ComparisonLimits limits) {
    return new ProveExactness(
        service.database.coupons(),
        service.stock.stock(),
        service.stock.log(),
        service.database.userCoupons(),
        service.database.lateClaims(),
        new PendingErasures(service.database.erasures(), CouponFixtures.codeKeys()),
        service.epochs,
        InstantSource.system(),
        limits);
  }

  private ReconcileCoupons reconciler(ProveExactness by) {
    return reconciler(by, Pace.WITHOUT_REST);
  }

  private ReconcileCoupons reconciler(ProveExactness by, Pace pace) {
    return new ReconcileCoupons(
        service.database.coupons(),
        by,
        service.stockSync(service.reporting, listener),
        service.epochs,
        service.keeper,
        listener,
        pace);
  }
}
