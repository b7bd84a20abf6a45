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

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.ArchiveClearing;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.port.CouponStock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How every {@link CouponStock} removes the stock of an archived coupon. */
public abstract class StockRemovalContract extends StockContract<HandoffStockUnderTest> {

  private final Coupon coupon = aCoupon().withTotal(3).build();

  /** Ann has slot 2, and bob has returned slot 1, in its first generation. */
  private StockAddress claimedAndReturned() {
    var address = opened(backend, coupon, FIRST);
    claim(stock, address, "bob", "ann");
    stock.release(address, user("bob"), new Slot(1), 1);
    return address;
  }

  private void assertGone(StockAddress address) {
    assertFencesCalls(address);
    assertThat(stock.ledger(address, null).marks()).isEmpty();
  }

  private void assertFencesCalls(StockAddress address) {
    assertFenced(() -> claimWithin(address, StockScenario.SOON));
    assertFenced(() -> stock.find(address, user("ann")));
    assertFenced(() -> stock.level(address));
    assertFenced(() -> stock.returned(address, null, 10));
    assertFenced(() -> stock.adopt(address, List.of(late(coupon, "cy", 1))));
    assertFenced(() -> stock.release(address, user("ann"), new Slot(2), 1));
  }

  /** Makes the coupon ready as it is: asserts an empty ledger, no free slots, no generations. */
  private void assertNoDataRemains(StockAddress recovering) {
    backend.recovery().ready(recovering, StockTerms.of(coupon), 2, false);
    assertThat(stock.returned(recovering, null, 10)).isEmpty();
    assertThat(stock.find(recovering, List.of(user("ann"), user("bob")))).isEmpty();
    backend.recovery().putMarks(recovering, Map.of(user("cy"), new LedgerMark.Holds(new Slot(1))));
    stock.release(recovering, user("cy"), new Slot(1), 1);
    assertThat(claim(stock, recovering, "ann")).containsExactly(accepted(1));
  }

  @Test
  void a_removed_coupon_leaves_no_data() {
    var address = claimedAndReturned();

    stock.remove(address);

    assertGone(address);
    var second = address(coupon, FIRST.next());
    backend.recovery().begin(partition(), second.epoch());
    assertNoDataRemains(second);
  }

  @Test
  void a_removal_keeps_other_coupons_and_the_log() {
    var address = claimedAndReturned();
    var other = aCoupon().withId("OTHER").build();
    stock.create(address(other, FIRST), null, StockTerms.of(other));
    claim(stock, address(other, FIRST), "ann");

    stock.remove(address);

    assertThat(claim(stock, address(other, FIRST), "ann", "bob"))
        .containsExactly(alreadyIssued(1), accepted(2));
    assertThat(backend.log().peek(partition(), null, 10))
        .extracting(entry -> entry.couponId())
        .containsExactly(coupon.id(), other.id(), other.id());
  }

  @Test
  void removing_a_coupon_again_or_an_unknown_coupon_changes_nothing() {
    var address = claimedAndReturned();
    var never = address(aCoupon().withId("NEVER").build(), FIRST);

    stock.remove(address);
    stock.remove(address);
    stock.remove(never);

    assertGone(address);
    assertFenced(() -> stock.level(never));
  }

  @Test
  void late_calls_do_not_restore_a_removed_coupon() {
    var address = claimedAndReturned();
    stock.remove(address);

    assertFenced(() -> stock.apply(address, StockTerms.of(aCoupon().withRevision(9).build())));
    assertFenced(() -> stock.create(address, null, StockTerms.of(coupon)));

    assertGone(address);
  }

  /** The note of a removal is needed only while creations of that epoch can arrive. */
  @Test
  void in_the_next_epoch_a_removed_coupon_can_be_created_again() {
    var address = claimedAndReturned();
    stock.remove(address);

    var second = opened(backend, coupon, FIRST.next());

    assertFenced(() -> stock.create(address, null, StockTerms.of(coupon)));
    assertThat(claim(stock, second, "ann")).containsExactly(accepted(1));
  }

  @Test
  void a_coupon_is_removed_only_in_an_open_partition_and_the_callers_epoch() {
    var address = claimedAndReturned();
    var second = address(coupon, FIRST.next());

    assertFenced(() -> stock.remove(second));
    backend.recovery().begin(partition(), second.epoch());
    assertFenced(() -> stock.remove(address));
    assertFenced(() -> stock.remove(second));
    backend.recovery().ready(second, StockTerms.of(coupon), 3, false);
    assertFenced(() -> stock.remove(second));

    assertThat(claim(stock, second, "ann")).containsExactly(alreadyIssued(2));
    backend.recovery().open(partition(), second.epoch());
    backend.restart();
    assertFenced(() -> stock.remove(second));
  }

  /** As after a recovery that skipped the coupon because it is archived in the database. */
  private StockAddress skippedByARecovery() {
    claimedAndReturned();
    var second = address(coupon, FIRST.next());
    backend.recovery().begin(partition(), second.epoch());
    backend.recovery().open(partition(), second.epoch());
    return second;
  }

  private void clear(StockAddress address) {
    backend.recovery().clear(partition(), address.epoch(), List.of(address.couponId()));
  }

  /** Whatever its data says, no recovery has compared it with the database. */
  @Test
  void a_coupon_that_a_recovery_skipped_is_fenced_when_the_partition_is_open() {
    var second = skippedByARecovery();

    assertFencesCalls(second);
    assertFenced(() -> stock.apply(second, StockTerms.of(aCoupon().withRevision(9).build())));
    assertFencesCalls(second);
  }

  @Test
  void clearing_deletes_all_data_from_an_older_state_of_the_server() {
    var second = skippedByARecovery();

    clear(second);
    clear(second);

    assertGone(second);
    var third = address(coupon, second.epoch().next());
    backend.recovery().begin(partition(), third.epoch());
    assertNoDataRemains(third);
  }

  @Test
  void only_an_open_partition_in_the_callers_epoch_is_cleared() {
    var address = claimedAndReturned();
    var second = address(coupon, FIRST.next());

    assertFenced(() -> clear(second));
    backend.recovery().begin(partition(), second.epoch());
    assertFenced(() -> clear(address));
    assertFenced(() -> clear(second));
    assertFenced(() -> backend.recovery().clearing(partition(), second.epoch()));
    backend.recovery().ready(second, StockTerms.of(coupon), 3, false);
    backend.recovery().open(partition(), second.epoch());
    assertFenced(() -> clear(address));
    assertFenced(() -> backend.recovery().clearing(partition(), address.epoch()));

    assertThat(claim(stock, second, "ann")).containsExactly(alreadyIssued(2));
    backend.restart();
    assertFenced(() -> clear(second));
  }

  @Test
  void clearing_continues_after_the_last_coupon_and_starts_again_in_each_epoch() {
    var second = skippedByARecovery().epoch();
    var recovery = backend.recovery();
    var other = aCoupon().withId("OTHER").build().id();

    assertThat(recovery.clearing(partition(), second)).isEqualTo(new ArchiveClearing.After(null));
    recovery.clear(partition(), second, List.of(coupon.id(), other));
    assertThat(recovery.clearing(partition(), second)).isEqualTo(new ArchiveClearing.After(other));
    recovery.clear(partition(), second, List.of());
    assertThat(recovery.clearing(partition(), second)).isEqualTo(new ArchiveClearing.Done());

    recovery.begin(partition(), second.next());
    recovery.open(partition(), second.next());
    assertThat(recovery.clearing(partition(), second.next()))
        .isEqualTo(new ArchiveClearing.After(null));
  }
}
