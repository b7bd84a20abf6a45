package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.StockContentException;
import io.firstcome.domain.port.StockFencedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the stock is after it was rebuilt, whatever it was before. */
@Timeout(30)
class RecoverStockTest {

  private final Coupon coupon = aCoupon().withTotal(30).build();
  private final World world = World.with(coupon);

  @Test
  void a_restart_with_all_data_changes_nothing_but_the_epoch() {
    claimed(1, 10);
    world.relayAndRecord();
    claimed(11, 20);
    var before = world.epoch();
    world.stock.restart();
    assertThat(world.claim(coupon, "user-25")).isEqualTo(new ClaimAnswer.Recovering());

    world.lookAtTheFence();
    world.settleAll();

    assertThat(world.epoch()).isEqualTo(before.next());
    assertEverybodyHasTheirSlot(1, 20);
    assertThat(slotOf(world.claim(coupon, "user-21"))).isEqualTo(21);
  }

  @Test
  void claims_in_the_queue_at_a_restart_keep_their_slots() {
    claimed(1, 10);
    world.relay.relayNew();
    world.stock.restart();
    world.lookAtTheFence();

    world.recordAllWaiting(world.recorder);
    world.settleAll();

    assertEverybodyHasTheirSlot(1, 10);
    assertThat(world.proof(coupon).exact()).isTrue();
  }

  /** A backup of the same epoch: nothing says that the database was set back. */
  @Test
  void users_whom_the_ledger_alone_knows_keep_their_slots() {
    var backup = world.database.backUp();
    claimed(1, 10);
    recordAllTheRest();
    world.database.restore(backup);
    world.stock.restart();
    world.lookAtTheFence();
    assertThat(slotOf(world.claim(coupon, "user-11"))).isEqualTo(11);

    recordAllTheRest();
    world.settleAll();

    assertEverybodyHasTheirSlot(1, 11);
  }

  @Test
  void an_emptied_server_is_rebuilt_from_the_rows() {
    claimed(1, 10);
    world.relayAndRecord();
    recordAllTheRest();
    world.stock.wipe();
    assertThat(world.claim(coupon, "user-11")).isEqualTo(new ClaimAnswer.Recovering());

    world.lookAtTheFence();

    assertEverybodyHasTheirSlot(1, 10);
    claimed(11, 30);
    recordAllTheRest();
    assertEverybodyHasTheirSlot(1, 30);
    assertThat(world.claim(coupon, "user-31"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.SoldOut()));
  }

  @Test
  void claims_that_only_a_message_knows_get_a_slot_after_the_server_was_emptied() {
    claimed(1, 5);
    recordAllTheRest();
    claimed(6, 8);
    world.relay.relayNew();
    world.stock.wipe();
    world.lookAtTheFence();
    claimed(9, 9);

    world.recordAllWaiting(world.recorder);
    world.settleAll();
    recordAllTheRest();

    assertThat(world.database.ports().holders(coupon.id()))
        .extracting(row -> row.slot().number())
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 9).boxed().toList());
    assertThat(world.proof(coupon).exact()).isTrue();
  }

  @Test
  void late_claims_for_whom_nothing_is_left_are_rejected_for_good() {
    var few = aCoupon().withId("FEW").withTotal(2).build();
    world.defineCoupon.define(few.definition(), null, OPERATOR);
    world.claim(few, "ann");
    world.relay.relayNew();
    world.stock.wipe();
    world.lookAtTheFence();
    world.claim(few, "bob");
    world.claim(few, "cy");

    world.recordAllWaiting(world.recorder);
    world.settleAll();

    assertThat(world.findClaim.find(few.id(), new UserId("ann")))
        .isEqualTo(new FindClaim.Result.Rejected());
    assertThat(world.claim(few, "ann"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.Rejected()));
    world.stock.wipe();
    world.lookAtTheFence();
    world.settleAll();
    assertThat(world.claim(few, "ann"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.Rejected()));
  }

  @Test
  void late_claims_that_the_server_forgot_keep_the_slots_they_were_promised() {
    claimed(1, 6);
    world.stock.restart();
    world.lookAtTheFence();
    world.stock.wipe();
    world.lookAtTheFence();

    claimed(7, 7);
    world.settleAll();
    recordAllTheRest();

    assertEverybodyHasTheirSlot(1, 7);
  }

  @Test
  void rows_win_over_a_ledger_that_says_otherwise() {
    claimed(1, 3);
    recordAllTheRest();
    claimed(4, 4);
    makeTheLedgerSay(
        Map.of(
            new UserId("user-2"), new LedgerMark.Holds(new Slot(9)),
            new UserId("user-4"), new LedgerMark.Holds(new Slot(3))));

    world.lookAtTheFence();
    world.settleAll();
    recordAllTheRest();

    assertEverybodyHasTheirSlot(1, 3);
    assertThat(world.row(coupon, "user-4")).isPresent();
    assertThat(world.proof(coupon).exact()).isTrue();
  }

  @Test
  void two_owners_of_a_slot_start_a_recovery_after_which_each_has_one() {
    claimed(1, 2);
    var entry = world.stock.log().peek(World.PARTITION, null, 1).getFirst();
    var impostor = List.of(new SlotClaim(new UserId("eve"), new Slot(1)));
    World.record(world.recorder, List.of(entry));
    World.record(
        world.recorder,
        List.of(new HandoffEntry(entry.reference(), coupon.id(), entry.acceptedAt(), impostor)));
    var before = world.epoch();

    world.lookAtTheFence();
    world.settleAll();
    recordAllTheRest();

    assertThat(world.epoch()).isEqualTo(before.next());
    assertEverybodyHasTheirSlot(1, 2);
    assertThat(world.row(coupon, "eve").orElseThrow().slot()).isEqualTo(new Slot(3));
    world.lookAtTheFence();
    assertThat(world.epoch()).as("one recovery is enough").isEqualTo(before.next());
  }

  @Test
  void a_recovery_that_died_is_begun_again_in_a_later_epoch() {
    claimed(1, 4);
    var died = world.epoch().next();
    world.stock.recovery().begin(World.PARTITION, died);

    world.lookAtTheFence();
    world.settleAll();

    assertThat(world.epoch()).isEqualTo(died.next());
    assertEverybodyHasTheirSlot(1, 4);
  }

  @Test
  void a_database_that_was_set_back_stops_recovery_and_claims() {
    claimed(1, 1);
    var ahead = new Epoch(world.epoch().number() + 5);
    world.stock.recovery().begin(World.PARTITION, ahead);
    world.stock.recovery().open(World.PARTITION, ahead);

    world.lookAtTheFence();

    assertThat(world.stopped).singleElement().asString().contains("set back");
    assertThat(world.keeper.closed()).isNotEmpty();
    assertThat(world.claim(coupon, "user-2")).isEqualTo(new ClaimAnswer.Recovering());
  }

  @Test
  void an_instance_that_knew_the_later_epoch_takes_no_claims_on_a_database_that_was_set_back() {
    claimed(1, 1);
    var before = world.database.backUp();
    world.stock.restart();
    world.lookAtTheFence();
    world.database.restore(before);

    world.lookAtTheFence();

    assertThat(world.claim(coupon, "user-2")).isEqualTo(new ClaimAnswer.Recovering());
  }

  @Test
  void told_that_the_database_was_set_back_recovery_writes_again_what_the_ledger_has()
      throws InterruptedException {
    claimed(1, 4);
    recordAllTheRest();
    var backup = world.database.backUp();
    claimed(5, 8);
    recordAllTheRest();
    world.stock.restart();
    world.lookAtTheFence();
    claimed(9, 10);
    recordAllTheRest();
    world.database.restore(backup);
    world.lookAtTheFence();
    assertThat(world.stopped).hasSize(1);

    assertThat(world.keeper.recover(World.PARTITION, true)).isInstanceOf(Recovery.Open.class);
    world.settleAll();

    assertEverybodyHasTheirSlot(1, 10);
    assertThat(world.proof(coupon).exact()).isTrue();
    assertThat(slotOf(world.claim(coupon, "user-11"))).isEqualTo(11);
  }

  @Test
  void a_rejection_that_only_the_ledger_remembers_is_final_too() throws InterruptedException {
    makeTheLedgerSay(Map.of(new UserId("ann"), new LedgerMark.WasRejected()));
    var recovered = world.keeper.recover(World.PARTITION, true);

    assertThat(recovered).isInstanceOf(Recovery.Open.class);
    assertThat(world.findClaim.find(coupon.id(), new UserId("ann")))
        .isEqualTo(new FindClaim.Result.Rejected());
    assertThat(world.database.lateClaims().isRejected(coupon.id(), new UserId("ann"))).isTrue();
  }

  @Test
  void an_operator_may_have_an_open_partition_rebuilt() throws InterruptedException {
    claimed(1, 3);
    var before = world.epoch();

    assertThat(world.keeper.recover(World.PARTITION, false))
        .isEqualTo(new Recovery.Open(before.next()));
    world.settleAll();

    assertEverybodyHasTheirSlot(1, 3);
  }

  /** Whoever looks at a closed fence has the right for a moment, under load again and again. */
  @Test
  void an_operators_recovery_waits_for_who_only_looks() throws InterruptedException {
    var right = world.database.epochs().tryToRecover(World.PARTITION).orElseThrow();
    var tries = new AtomicInteger();
    var rights =
        Interposed.before(
            PartitionEpochs.class,
            "tryToRecover",
            () -> {
              if (tries.incrementAndGet() == 3) {
                right.close();
              }
            });

    var recoverStock = world.recoverStock(rights, IssuanceObserver.silent());
    assertThat(recoverStock.recoverNow(World.PARTITION, RecoverStock.Database.CURRENT))
        .isInstanceOf(Recovery.Open.class);
  }

  @Test
  void while_another_instance_recovers_this_one_waits() {
    world.stock.restart();
    try (var right = world.database.epochs().tryToRecover(World.PARTITION).orElseThrow()) {
      assertThat(right).isNotNull();
      world.lookAtTheFence();
      assertThat(world.keeper.closed()).isNotEmpty();
    }
    world.lookAtTheFence();
    assertThat(world.keeper.closed()).isEmpty();
  }

  @Test
  void a_coupon_that_cannot_be_rebuilt_holds_up_no_other() {
    var broken = aCoupon().withId("BROKEN").build();
    world.defineCoupon.define(broken.definition(), null, OPERATOR);
    claimed(1, 3);
    world.stock.restart();
    var failed = new ArrayList<CouponId>();
    var unreadable =
        new Interposed((method, arguments, call) -> {
          if (method.getName().equals("clearFree")
              && arguments.getFirst() instanceof StockAddress address
              && address.couponId().equals(broken.id())) {
            throw new StockContentException("of another type", new IllegalStateException());
          }
          return call.call();
        });
    var recoverStock =
        world.recoverStock(
            unreadable,
            new IssuanceObserver() {
              @Override
              public void couponNotRebuilt(CouponId id, RuntimeException failure) {
                failed.add(id);
              }
            });

    assertThat(recover(recoverStock))
        .isEqualTo(new Recovery.Open(world.epoch(), List.of(broken.id())));

    assertThat(failed).containsExactly(broken.id());
    claimed(4, 5);
    assertThat(world.claim(broken, "user-1")).isInstanceOf(ClaimAnswer.Recovering.class);
  }

  /** Its row was changed by hand to what no coupon can be. Lists leave it out. */
  @Test
  void claims_of_a_coupon_that_cannot_be_read_are_kept_and_hold_up_no_other() {
    var other = aCoupon().withId("OTHER").build();
    world.defineCoupon.define(other.definition(), null, OPERATOR);
    claimed(1, 3);
    world.stock.restart();
    var unreadable =
        new Interposed((method, _, call) ->
            switch (method.getName()) {
              case "inPartition" -> List.of(other);
              case "find" -> throw new IllegalArgumentException("no coupon");
              default -> call.call();
            });

    assertThat(recover(world.recoverStock(unreadable, IssuanceObserver.silent())))
        .isEqualTo(new Recovery.Open(world.epoch()));

    assertThat(world.claim(other, "user-1")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(world.claim(coupon, "user-4")).isInstanceOf(ClaimAnswer.Recovering.class);
    assertThat(world.database.lateClaims().page(coupon.id(), null, 10)).hasSize(3);
  }

  /** The stock has it already; that the database notes so can wait. */
  @Test
  void a_coupon_whose_row_somebody_has_locked_is_rebuilt_and_takes_claims() {
    claimed(1, 3);
    world.stock.restart();
    var recoverStock =
        world.recoverStock(
            Interposed.before(
                CouponRepository.class,
                "nowInStock",
                () -> {
                  throw new DatabaseLockedException("locked", new IllegalStateException());
                }),
            IssuanceObserver.silent());

    assertThat(recover(recoverStock)).isEqualTo(new Recovery.Open(world.epoch()));

    claimed(4, 5);
  }

  /** Its places for rebuilding are taken by other partitions, whose coupons may be large. */
  @Test
  void a_partition_that_another_instance_opens_is_learnt_of_during_a_rebuilding()
      throws InterruptedException {
    var begun = new CountDownLatch(world.limits.parallelRecoveries());
    var mayEnd = new CountDownLatch(1);
    var slow =
        world.recoverStock(
            Interposed.withoutRights(),
            new IssuanceObserver() {
              @Override
              public void recoveryStep(Partition partition, Epoch epoch, String step) {
                begun.countDown();
                awaitQuietly(mayEnd);
              }
            });
    var rebuilding = new ArrayList<Thread>();
    for (int i = 1; i <= world.limits.parallelRecoveries(); i++) {
      var other = new Partition(i);
      rebuilding.add(Thread.startVirtualThread(() -> recover(slow, other)));
    }
    begun.await();
    world.stock.restart();

    assertThat(slow.openOrRecover(World.PARTITION, null)).isInstanceOf(Recovery.Elsewhere.class);
    world.lookAtTheFence();
    assertThat(slow.openOrRecover(World.PARTITION, null)).isInstanceOf(Recovery.Open.class);

    mayEnd.countDown();
    for (var thread : rebuilding) {
      thread.join();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a test", e);
    }
  }

  private void claimed(int from, int to) {
    for (int i = from; i <= to; i++) {
      assertThat(world.claim(coupon, "user-" + i)).isInstanceOf(ClaimAnswer.Accepted.class);
    }
  }

  private void recordAllTheRest() {
    while (world.logDepth() > 0 || world.broker.waiting() > 0) {
      world.relayAndRecord();
      world.relay.relayStale();
    }
  }

  /** User i got slot i at first, and must have it still. */
  private void assertEverybodyHasTheirSlot(int from, int to) {
    for (int i = from; i <= to; i++) {
      assertThat(slotOf(world.claim(coupon, "user-" + i))).isEqualTo(i);
      assertThat(world.row(coupon, "user-" + i).orElseThrow().slot()).isEqualTo(new Slot(i));
    }
  }

  private static int slotOf(ClaimAnswer answer) {
    return switch (answer) {
      case ClaimAnswer.Accepted(_, Slot slot) -> slot.number();
      case ClaimAnswer.AlreadyIssued(_, Slot slot, _) -> slot.number();
      default -> throw new AssertionError("no slot in " + answer);
    };
  }

  /** As if the stock had been changed by hand: under a fence that nobody opens again. */
  private void makeTheLedgerSay(Map<UserId, LedgerMark> marks) {
    var epoch = world.epoch().next();
    world.stock.recovery().begin(World.PARTITION, epoch);
    world.stock.recovery().putMarks(new StockAddress(coupon.id(), World.PARTITION, epoch), marks);
  }

  /**
   * A recoverer has lost its right without knowing, and the server that it has fenced is replaced
   * by one of older data. Another recoverer, which read the epoch before it was raised, begins
   * there.
   */
  @Test
  void a_recovery_never_takes_the_fence_of_another_one_for_its_own() {
    world.defineCoupon.define(aCoupon().withId("SECOND").build().definition(), null, OPERATOR);
    var older = world.stock.copy();
    claimed(1, 5);
    world.relayAndRecord();
    var before = world.epoch();
    world.stock.restart();
    var rebuilt = new AtomicBoolean();
    var second = world.recoverStock(Interposed.withoutRights(before), IssuanceObserver.silent());
    var first =
        world.recoverStock(
            Interposed.withoutRights(),
            new IssuanceObserver() {
              @Override
              public void couponRebuilt(CouponId id, long rows, long unrecorded, Duration took) {
                if (!rebuilt.getAndSet(true)) {
                  world.stock.setBackTo(older);
                  assertThat(recover(second)).isEqualTo(new Recovery.Elsewhere());
                }
              }
            });

    assertThatExceptionOfType(StockFencedException.class).isThrownBy(() -> recover(first));

    world.lookAtTheFence();
    assertEverybodyHasTheirSlot(1, 5);
    assertThat(slotOf(world.claim(coupon, "user-6"))).isEqualTo(6);
  }

  private static Recovery recover(RecoverStock by) {
    return recover(by, World.PARTITION);
  }

  private static Recovery recover(RecoverStock by, Partition partition) {
    try {
      return by.recoverNow(partition, RecoverStock.Database.CURRENT);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a test", e);
    }
  }
}
