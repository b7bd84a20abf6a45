package io.firstcome.contracts.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.stock.StockScenario.FIRST;
import static io.firstcome.contracts.stock.StockScenario.accepted;
import static io.firstcome.contracts.stock.StockScenario.address;
import static io.firstcome.contracts.stock.StockScenario.alreadyIssued;
import static io.firstcome.contracts.stock.StockScenario.claim;
import static io.firstcome.contracts.stock.StockScenario.opened;
import static io.firstcome.contracts.stock.StockScenario.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.FenceState;
import io.firstcome.domain.issuance.FenceState.Kind;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockRecovery;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link StockRecovery} does. */
public abstract class StockRecoveryContract {

  private final Coupon coupon = aCoupon().withTotal(10).build();
  private HandoffStockUnderTest backend;
  private StockRecovery recovery;

  /** An empty backend. */
  protected abstract HandoffStockUnderTest emptyBackend();

  @BeforeEach
  void start() {
    backend = emptyBackend();
    recovery = backend.recovery();
  }

  @Test
  void the_fence_is_missing_then_recovering_then_open_and_not_of_the_server_after_a_restart() {
    assertThat(recovery.fence(coupon.partition()))
        .isEqualTo(new FenceState(Kind.MISSING, Epoch.NONE, false));
    recovery.begin(coupon.partition(), FIRST);
    assertThat(recovery.fence(coupon.partition()))
        .isEqualTo(new FenceState(Kind.RECOVERING, FIRST, true));
    recovery.open(coupon.partition(), FIRST);
    assertThat(recovery.fence(coupon.partition()))
        .isEqualTo(new FenceState(Kind.OPEN, FIRST, true));
    backend.restart();
    assertThat(recovery.fence(coupon.partition()))
        .isEqualTo(new FenceState(Kind.OPEN, FIRST, false));
  }

  @Test
  void a_recovery_cannot_begin_in_the_current_or_an_earlier_epoch() {
    recovery.begin(coupon.partition(), new Epoch(5));

    assertFenced(() -> recovery.begin(coupon.partition(), new Epoch(5)));
    assertFenced(() -> recovery.begin(coupon.partition(), new Epoch(4)));
  }

  @Test
  void a_recovery_cannot_begin_in_the_epoch_before_the_first() {
    assertFenced(() -> recovery.begin(coupon.partition(), Epoch.NONE));

    assertThat(recovery.fence(coupon.partition()))
        .isEqualTo(new FenceState(Kind.MISSING, Epoch.NONE, false));
  }

  @Test
  void while_a_partition_recovers_only_coupons_that_are_ready_accept_claims() {
    var other = aCoupon().withId("OTHER").build();
    opened(backend, coupon, FIRST);
    backend.stock().create(address(other, FIRST), null, StockTerms.of(other));
    var second = FIRST.next();
    recovery.begin(coupon.partition(), second);

    assertFenced(() -> backend.stock().level(address(coupon, second)));

    recovery.ready(address(coupon, second), StockTerms.of(coupon), 1, false);
    assertThat(claim(backend.stock(), address(coupon, second), "ann")).containsExactly(accepted(1));
    assertFenced(() -> backend.stock().level(address(other, second)));
  }

  @Test
  void the_ledger_is_kept_and_can_be_read_before_the_coupon_is_ready() {
    claim(backend.stock(), opened(backend, coupon, FIRST), "ann");
    recovery.begin(coupon.partition(), FIRST.next());

    assertThat(backend.stock().ledger(address(coupon, FIRST.next()), null).marks())
        .containsExactly(Map.entry(user("ann"), new LedgerMark.Holds(new Slot(1))));
  }

  @Test
  void marks_of_users_and_the_size_of_the_ledger_can_be_read_before_the_coupon_is_ready() {
    claim(backend.stock(), opened(backend, coupon, FIRST), "ann", "bob");
    var second = begun(FIRST.next());
    recovery.putMarks(second, Map.of(user("cy"), new LedgerMark.WasRejected()));

    assertThat(recovery.marks(second, List.of(user("nobody"), user("bob"), user("cy"))))
        .containsOnly(
            Map.entry(user("bob"), new LedgerMark.Holds(new Slot(2))),
            Map.entry(user("cy"), new LedgerMark.WasRejected()));
    assertThat(recovery.ledgerSize(second)).isEqualTo(3);
  }

  @Test
  void a_lost_ledger_has_no_users() {
    var first = begun(FIRST);

    assertThat(recovery.ledgerSize(first)).isZero();
    assertThat(recovery.marks(first, List.of(user("ann")))).isEmpty();
  }

  @Test
  void marks_replace_the_entries_of_the_ledger() {
    claim(backend.stock(), opened(backend, coupon, FIRST), "ann", "bob");
    var second = begun(FIRST.next());
    recovery.putMarks(
        second,
        Map.of(
            user("ann"), new LedgerMark.Holds(new Slot(2)),
            user("cy"), new LedgerMark.Holds(new Slot(3))));
    recovery.forget(second, List.of(user("bob")));
    recovery.ready(second, StockTerms.of(coupon), 4, false);
    recovery.open(coupon.partition(), second.epoch());

    assertThat(claim(backend.stock(), second, "ann", "bob", "cy"))
        .containsExactly(alreadyIssued(2), accepted(4), alreadyIssued(3));
  }

  @Test
  void reserving_returns_the_reserved_claims_and_does_not_change_known_users() {
    claim(backend.stock(), opened(backend, coupon, FIRST), "ann");
    var second = begun(FIRST.next());
    var ann = new SlotClaim(user("ann"), new Slot(7));
    var bob = new SlotClaim(user("bob"), new Slot(8));

    assertThat(recovery.reserve(second, List.of(ann, bob))).containsExactly(bob);
    assertThat(backend.stock().ledger(second, null).marks())
        .containsOnly(
            Map.entry(user("ann"), new LedgerMark.Holds(new Slot(1))),
            Map.entry(user("bob"), new LedgerMark.Holds(new Slot(8))));
  }

  @Test
  void free_slots_are_those_added_after_the_last_clearing() {
    var first = begun(FIRST);
    recovery.addFree(first, List.of(new Slot(1), new Slot(2)));
    recovery.clearFree(first);
    recovery.addFree(first, List.of(new Slot(3)));
    recovery.addFree(first, List.of(new Slot(5)));
    recovery.ready(first, StockTerms.of(coupon), 10, false);
    recovery.open(coupon.partition(), FIRST);

    assertThat(claim(backend.stock(), first, "ann", "bob", "cy"))
        .containsExactly(accepted(3), accepted(5), accepted(10));
  }

  @Test
  void a_slot_is_released_only_in_a_generation_after_the_last_freed_generation() {
    var second = rebuiltWithASlotOfAnn(1, 2);
    assertThat(release(second, 1, 2)).isEqualTo(new ReleaseOutcome.NotHeld());
    assertThat(release(second, 1, 3)).isEqualTo(new ReleaseOutcome.Released());
  }

  @Test
  void clearing_the_free_slots_deletes_the_freed_generations() {
    rebuiltWithASlotOfAnn(1, 2);
    var third = rebuiltWithASlotOfAnn(1, 1);

    assertThat(release(third, 1, 2)).isEqualTo(new ReleaseOutcome.Released());
  }

  /** Recovers into the next epoch: ann has the slot, which was last freed in the generation. */
  private StockAddress rebuiltWithASlotOfAnn(int slot, int lastFreed) {
    var address = begun(recovery.fence(coupon.partition()).epoch().next());
    recovery.clearFree(address);
    recovery.putMarks(address, Map.of(user("ann"), new LedgerMark.Holds(new Slot(slot))));
    recovery.putFreed(address, Map.of(new Slot(slot), lastFreed));
    recovery.ready(address, StockTerms.of(coupon), slot + 1, false);
    recovery.open(coupon.partition(), address.epoch());
    return address;
  }

  private ReleaseOutcome release(StockAddress address, int slot, int generation) {
    return backend.stock().release(address, user("ann"), new Slot(slot), generation);
  }

  @Test
  void an_overtaken_recovery_is_fenced_in_every_call() {
    var first = begun(FIRST);
    recovery.begin(coupon.partition(), FIRST.next());

    assertEveryCallIsFenced(first);
  }

  @Test
  void a_recovery_whose_server_restarted_is_fenced_in_every_call() {
    var first = begun(FIRST);
    backend.restart();

    assertEveryCallIsFenced(first);
  }

  @Test
  void every_recovery_call_under_an_open_fence_is_fenced() {
    assertEveryCallIsFenced(opened(backend, coupon, FIRST));
  }

  private void assertEveryCallIsFenced(StockAddress address) {
    var slot = new Slot(1);
    assertFenced(() -> recovery.marks(address, List.of(user("ann"))));
    assertFenced(() -> recovery.ledgerSize(address));
    assertFenced(() -> recovery.putMarks(address, Map.of(user("ann"), new LedgerMark.Holds(slot))));
    assertFenced(() -> recovery.forget(address, List.of(user("ann"))));
    assertFenced(() -> recovery.reserve(address, List.of(new SlotClaim(user("ann"), slot))));
    assertFenced(() -> recovery.clearFree(address));
    assertFenced(() -> recovery.putFreed(address, Map.of(slot, 1)));
    assertFenced(() -> recovery.addFree(address, List.of(slot)));
    assertFenced(() -> recovery.ready(address, StockTerms.of(coupon), 1, false));
    assertFenced(() -> recovery.open(coupon.partition(), address.epoch()));
  }

  private StockAddress begun(Epoch epoch) {
    recovery.begin(coupon.partition(), epoch);
    return address(coupon, epoch);
  }

  private static void assertFenced(ThrowingCallable call) {
    assertThatExceptionOfType(StockFencedException.class).isThrownBy(call);
  }
}
