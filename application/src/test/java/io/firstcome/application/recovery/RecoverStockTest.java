package io.firstcome.application.recovery;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.claim.FindClaim;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.SoldOutLease;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.RecoveryObservation;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseLockedException;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The stock after a recovery, whatever its state was before. */
@Timeout(30)
class RecoverStockTest {

  private final Coupon coupon = aCoupon().withTotal(30).build();
  private final InMemoryService service = InMemoryService.with(coupon);

  @Test
  void a_restart_without_data_loss_changes_only_the_epoch() {
    claimed(1, 10);
    service.relayAndRecord();
    claimed(11, 20);
    var before = service.epoch();
    service.stock.restart();
    assertThat(service.claim(coupon, "user-25")).isEqualTo(new ClaimAnswer.Recovering());

    service.checkTheFence();
    service.settleAll();

    assertThat(service.epoch()).isEqualTo(before.next());
    assertUsersKeepTheirSlots(1, 20);
    assertThat(slotOf(service.claim(coupon, "user-21"))).isEqualTo(21);
  }

  @Test
  void claims_in_the_queue_at_a_restart_keep_their_slots() {
    claimed(1, 10);
    service.relay.relayNew();
    service.stock.restart();
    service.checkTheFence();

    service.recordAllWaiting(service.recorder);
    service.settleAll();

    assertUsersKeepTheirSlots(1, 10);
    assertThat(service.proof(coupon).exact()).isTrue();
  }

  /** The backup has the same epoch, so that the restore is not detected. */
  @Test
  void users_that_only_the_ledger_has_keep_their_slots() {
    var backup = service.database.backUp();
    claimed(1, 10);
    relayAndRecordAll();
    service.database.restore(backup);
    service.stock.restart();
    service.checkTheFence();
    assertThat(slotOf(service.claim(coupon, "user-11"))).isEqualTo(11);

    relayAndRecordAll();
    service.settleAll();

    assertUsersKeepTheirSlots(1, 11);
  }

  @Test
  void no_coupon_is_ready_before_leases_of_earlier_epochs_are_over() throws InterruptedException {
    var begun = new AtomicLong();
    var ready = new AtomicLong();
    var ports =
        new Interposed((method, arguments, call) -> {
          var result = call.call();
          switch (method.getName()) {
            case "begin" -> begun.set(service.processClock.nanos());
            case "ready" -> ready.set(service.processClock.nanos());
            default -> {}
          }
          return result;
        });

    service
        .recoverStock(ports)
        .recoverNow(InMemoryService.PARTITION, RecoverStock.Database.CURRENT);

    assertThat(Duration.ofNanos(ready.get() - begun.get()))
        .as("since the partition was fenced")
        .isGreaterThanOrEqualTo(SoldOutLease.OVER_AFTER);
  }

  @Test
  void an_emptied_server_is_rebuilt_from_the_rows() {
    claimed(1, 10);
    service.relayAndRecord();
    relayAndRecordAll();
    service.stock.wipe();
    assertThat(service.claim(coupon, "user-11")).isEqualTo(new ClaimAnswer.Recovering());

    service.checkTheFence();

    assertUsersKeepTheirSlots(1, 10);
    claimed(11, 30);
    relayAndRecordAll();
    assertUsersKeepTheirSlots(1, 30);
    assertThat(service.claim(coupon, "user-31"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.SoldOut()));
  }

  @Test
  void claims_that_exist_only_in_messages_get_a_slot_after_the_server_was_emptied() {
    claimed(1, 5);
    relayAndRecordAll();
    claimed(6, 8);
    service.relay.relayNew();
    service.stock.wipe();
    service.checkTheFence();
    claimed(9, 9);

    service.recordAllWaiting(service.recorder);
    service.settleAll();
    relayAndRecordAll();

    assertThat(service.database.ports().holders(coupon.id()))
        .extracting(row -> row.slot().number())
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 9).boxed().toList());
    assertThat(service.proof(coupon).exact()).isTrue();
  }

  @Test
  void late_claims_without_a_free_slot_are_rejected_permanently() {
    var few = aCoupon().withId("FEW").withTotal(2).build();
    service.defineCoupon.define(few.definition(), null, OPERATOR);
    service.claim(few, "ann");
    service.relay.relayNew();
    service.stock.wipe();
    service.checkTheFence();
    service.claim(few, "bob");
    service.claim(few, "cy");

    service.recordAllWaiting(service.recorder);
    service.settleAll();

    assertThat(service.findClaim.find(few.id(), new UserId("ann")))
        .isEqualTo(new FindClaim.Result.Rejected());
    assertThat(service.claim(few, "ann"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.Rejected()));
    service.stock.wipe();
    service.checkTheFence();
    service.settleAll();
    assertThat(service.claim(few, "ann"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.Rejected()));
  }

  @Test
  void late_claims_that_the_server_lost_keep_their_promised_slots() {
    claimed(1, 6);
    service.stock.restart();
    service.checkTheFence();
    service.stock.wipe();
    service.checkTheFence();

    claimed(7, 7);
    service.settleAll();
    relayAndRecordAll();

    assertUsersKeepTheirSlots(1, 7);
  }

  @Test
  void rows_take_precedence_over_a_different_ledger() {
    claimed(1, 3);
    relayAndRecordAll();
    claimed(4, 4);
    changeLedger(
        Map.of(
            new UserId("user-2"), new LedgerMark.Holds(new Slot(9)),
            new UserId("user-4"), new LedgerMark.Holds(new Slot(3))));

    service.checkTheFence();
    service.settleAll();
    relayAndRecordAll();

    assertUsersKeepTheirSlots(1, 3);
    assertThat(service.row(coupon, "user-4")).isPresent();
    assertThat(service.proof(coupon).exact()).isTrue();
  }

  @Test
  void a_slot_with_two_owners_starts_a_recovery_after_which_each_has_its_own_slot() {
    claimed(1, 2);
    var entry = service.stock.log().peek(InMemoryService.PARTITION, null, 1).getFirst();
    var impostor = List.of(new SlotClaim(new UserId("eve"), new Slot(1)));
    InMemoryService.record(service.recorder, List.of(entry));
    InMemoryService.record(
        service.recorder,
        List.of(new HandoffEntry(entry.reference(), coupon.id(), entry.acceptedAt(), impostor)));
    var before = service.epoch();

    service.checkTheFence();
    service.settleAll();
    relayAndRecordAll();

    assertThat(service.epoch()).isEqualTo(before.next());
    assertUsersKeepTheirSlots(1, 2);
    assertThat(service.row(coupon, "eve").orElseThrow().slot()).isEqualTo(new Slot(3));
    service.checkTheFence();
    assertThat(service.epoch()).as("one recovery is enough").isEqualTo(before.next());
  }

  @Test
  void an_interrupted_recovery_is_restarted_in_a_later_epoch() {
    claimed(1, 4);
    var died = service.epoch().next();
    service.stock.recovery().begin(InMemoryService.PARTITION, died);

    service.checkTheFence();
    service.settleAll();

    assertThat(service.epoch()).isEqualTo(died.next());
    assertUsersKeepTheirSlots(1, 4);
  }

  @Test
  void a_database_restored_to_an_earlier_state_stops_recovery_and_claims() {
    claimed(1, 1);
    var ahead = new Epoch(service.epoch().number() + 5);
    service.stock.recovery().begin(InMemoryService.PARTITION, ahead);
    service.stock.recovery().open(InMemoryService.PARTITION, ahead);

    service.checkTheFence();

    assertThat(service.stopped).singleElement().asString().contains("set back");
    assertThat(service.keeper.closed()).isNotEmpty();
    assertThat(service.claim(coupon, "user-2")).isEqualTo(new ClaimAnswer.Recovering());
  }

  @Test
  void an_instance_that_knows_a_later_epoch_accepts_no_claims_after_a_database_restore() {
    claimed(1, 1);
    var before = service.database.backUp();
    service.stock.restart();
    service.checkTheFence();
    service.database.restore(before);

    service.checkTheFence();

    assertThat(service.claim(coupon, "user-2")).isEqualTo(new ClaimAnswer.Recovering());
  }

  @Test
  void a_recovery_after_a_confirmed_database_restore_writes_the_claims_of_the_ledger_again()
      throws InterruptedException {
    claimed(1, 4);
    relayAndRecordAll();
    var backup = service.database.backUp();
    claimed(5, 8);
    relayAndRecordAll();
    service.stock.restart();
    service.checkTheFence();
    claimed(9, 10);
    relayAndRecordAll();
    service.database.restore(backup);
    service.checkTheFence();
    assertThat(service.stopped).hasSize(1);

    assertThat(service.keeper.recover(InMemoryService.PARTITION, true))
        .isInstanceOf(Recovery.Open.class);
    service.settleAll();

    assertUsersKeepTheirSlots(1, 10);
    assertThat(service.proof(coupon).exact()).isTrue();
    assertThat(slotOf(service.claim(coupon, "user-11"))).isEqualTo(11);
  }

  @Test
  void a_rejection_that_only_the_ledger_has_is_final() throws InterruptedException {
    changeLedger(Map.of(new UserId("ann"), new LedgerMark.WasRejected()));
    var recovered = service.keeper.recover(InMemoryService.PARTITION, true);

    assertThat(recovered).isInstanceOf(Recovery.Open.class);
    assertThat(service.findClaim.find(coupon.id(), new UserId("ann")))
        .isEqualTo(new FindClaim.Result.Rejected());
    assertThat(service.database.lateClaims().isRejected(coupon.id(), new UserId("ann"))).isTrue();
  }

  @Test
  void an_operator_can_recover_an_open_partition() throws InterruptedException {
    claimed(1, 3);
    var before = service.epoch();

    assertThat(service.keeper.recover(InMemoryService.PARTITION, false))
        .isEqualTo(new Recovery.Open(before.next()));
    service.settleAll();

    assertUsersKeepTheirSlots(1, 3);
  }

  /** Each check of a closed fence takes the recovery lease for a moment, under load frequently. */
  @Test
  void an_operators_recovery_waits_for_a_check_that_holds_the_lease() throws InterruptedException {
    var lease = service.database.epochs().tryAcquireLease(InMemoryService.PARTITION).orElseThrow();
    var tries = new AtomicInteger();
    var leases =
        Interposed.before(
            PartitionEpochs.class,
            "tryAcquireLease",
            () -> {
              if (tries.incrementAndGet() == 3) {
                lease.close();
              }
            });

    var recoverStock = service.recoverStock(leases, IssuanceObserver.silent());
    assertThat(recoverStock.recoverNow(InMemoryService.PARTITION, RecoverStock.Database.CURRENT))
        .isInstanceOf(Recovery.Open.class);
  }

  @Test
  void an_instance_waits_while_another_instance_recovers() {
    service.stock.restart();
    try (var lease =
        service.database.epochs().tryAcquireLease(InMemoryService.PARTITION).orElseThrow()) {
      assertThat(lease).isNotNull();
      service.checkTheFence();
      assertThat(service.keeper.closed()).isNotEmpty();
    }
    service.checkTheFence();
    assertThat(service.keeper.closed()).isEmpty();
  }

  @Test
  void a_coupon_that_cannot_be_rebuilt_does_not_block_other_coupons() {
    var broken = aCoupon().withId("BROKEN").build();
    service.defineCoupon.define(broken.definition(), null, OPERATOR);
    claimed(1, 3);
    service.stock.restart();
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
        service.recoverStock(
            unreadable,
            observation -> {
              if (observation
                  instanceof RecoveryObservation.CouponNotRebuilt(CouponId id, _, _, _)) {
                failed.add(id);
              }
            });

    assertThat(recover(recoverStock))
        .isEqualTo(new Recovery.Open(service.epoch(), List.of(broken.id())));

    assertThat(failed).containsExactly(broken.id());
    claimed(4, 5);
    assertThat(service.claim(broken, "user-1")).isInstanceOf(ClaimAnswer.Recovering.class);
  }

  /** The coupon's row was changed by hand to an invalid value. Lists skip it. */
  @Test
  void claims_of_an_unreadable_coupon_are_kept_and_do_not_block_other_coupons() {
    var other = aCoupon().withId("OTHER").build();
    service.defineCoupon.define(other.definition(), null, OPERATOR);
    claimed(1, 3);
    service.stock.restart();
    var unreadable =
        new Interposed((method, _, call) ->
            switch (method.getName()) {
              case "inPartition" -> List.of(other);
              case "find" -> throw new IllegalArgumentException("no coupon");
              default -> call.call();
            });

    assertThat(recover(service.recoverStock(unreadable, IssuanceObserver.silent())))
        .isEqualTo(new Recovery.Open(service.epoch()));

    assertThat(service.claim(other, "user-1")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(service.claim(coupon, "user-4")).isInstanceOf(ClaimAnswer.Recovering.class);
    assertThat(service.database.lateClaims().page(coupon.id(), null, 10)).hasSize(3);
  }

  /** The stock already has the coupon; the database can note that later. */
  @Test
  void a_coupon_whose_row_is_locked_is_rebuilt_and_accepts_claims() {
    claimed(1, 3);
    service.stock.restart();
    var recoverStock =
        service.recoverStock(
            Interposed.before(
                CouponRepository.class,
                "noteApplied",
                () -> {
                  throw new DatabaseLockedException("locked", new IllegalStateException());
                }),
            IssuanceObserver.silent());

    assertThat(recover(recoverStock)).isEqualTo(new Recovery.Open(service.epoch()));

    claimed(4, 5);
  }

  /** All concurrent recoveries of this instance are in use for other partitions. */
  @Test
  void a_partition_opened_by_another_instance_is_detected_during_a_recovery()
      throws InterruptedException {
    var begun = new CountDownLatch(service.limits.recovery().parallelRecoveries());
    var mayEnd = new CountDownLatch(1);
    var slow =
        service.recoverStock(
            Interposed.withoutLeases(),
            observation -> {
              if (observation instanceof RecoveryObservation.StepDone) {
                begun.countDown();
                awaitQuietly(mayEnd);
              }
            });
    var rebuilding = new ArrayList<Thread>();
    for (int i = 1; i <= service.limits.recovery().parallelRecoveries(); i++) {
      var other = new Partition(i);
      rebuilding.add(Thread.startVirtualThread(() -> recover(slow, other)));
    }
    begun.await();
    service.stock.restart();

    assertThat(slow.openOrRecover(InMemoryService.PARTITION, null))
        .isInstanceOf(Recovery.Elsewhere.class);
    service.checkTheFence();
    assertThat(slow.openOrRecover(InMemoryService.PARTITION, null))
        .isInstanceOf(Recovery.Open.class);

    mayEnd.countDown();
    for (var thread : rebuilding) {
      thread.join();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("unexpected interrupt of a test", e);
    }
  }

  private void claimed(int from, int to) {
    for (int i = from; i <= to; i++) {
      assertThat(service.claim(coupon, "user-" + i)).isInstanceOf(ClaimAnswer.Accepted.class);
    }
  }

  private void relayAndRecordAll() {
    while (service.logDepth() > 0 || service.broker.waiting() > 0) {
      service.relayAndRecord();
      service.relay.relayStale();
    }
  }

  /** Asserts that user i still has slot i. */
  private void assertUsersKeepTheirSlots(int from, int to) {
    for (int i = from; i <= to; i++) {
      assertThat(slotOf(service.claim(coupon, "user-" + i))).isEqualTo(i);
      assertThat(service.row(coupon, "user-" + i).orElseThrow().slot()).isEqualTo(new Slot(i));
    }
  }

  private static int slotOf(ClaimAnswer answer) {
    return switch (answer) {
      case ClaimAnswer.Accepted(_, Slot slot) -> slot.number();
      case ClaimAnswer.AlreadyClaimed(_, Slot slot, _) -> slot.number();
      default -> throw new AssertionError("no slot in " + answer);
    };
  }

  /** Changes the ledger as if by hand, under a fence that stays in recovery. */
  private void changeLedger(Map<UserId, LedgerMark> marks) {
    var epoch = service.epoch().next();
    service.stock.recovery().begin(InMemoryService.PARTITION, epoch);
    service
        .stock
        .recovery()
        .putMarks(new StockAddress(coupon.id(), InMemoryService.PARTITION, epoch), marks);
  }

  @Test
  void a_recovery_reports_how_many_coupons_it_has_rebuilt() {
    for (var id : List.of("SECOND", "THIRD")) {
      service.defineCoupon.define(aCoupon().withId(id).build().definition(), null, OPERATOR);
    }
    service.stock.restart();
    var reports = new ArrayList<RecoveryObservation.PartitionProgress>();
    var recovery =
        service.recoverStock(
            Interposed.withoutLeases(),
            observation -> {
              if (observation instanceof RecoveryObservation.PartitionProgress progress) {
                reports.add(progress);
              }
            });

    recover(recovery);

    assertThat(reports)
        .allMatch(report -> report.epoch().equals(service.epoch()) && report.coupons().all() == 3)
        .extracting(report -> report.coupons().done())
        .containsExactly(0L, 1L, 2L);
  }

  /**
   * A recoverer lost its lease without noticing, and the server that it fenced is replaced by one
   * with older data. Another recoverer, which read the epoch before it was raised, begins on that
   * server.
   */
  @Test
  void a_recovery_does_not_mistake_the_fence_of_another_recovery_for_its_own() {
    service.defineCoupon.define(aCoupon().withId("SECOND").build().definition(), null, OPERATOR);
    var older = service.stock.copy();
    claimed(1, 5);
    service.relayAndRecord();
    var before = service.epoch();
    service.stock.restart();
    var rebuilt = new AtomicBoolean();
    var second = service.recoverStock(Interposed.withoutLeases(before), IssuanceObserver.silent());
    var first =
        service.recoverStock(
            Interposed.withoutLeases(),
            observation -> {
              if (observation instanceof RecoveryObservation.CouponRebuilt) {
                if (!rebuilt.getAndSet(true)) {
                  service.stock.setBackTo(older);
                  assertThat(recover(second)).isEqualTo(new Recovery.Elsewhere());
                }
              }
            });

    assertThatExceptionOfType(StockFencedException.class).isThrownBy(() -> recover(first));

    service.checkTheFence();
    assertUsersKeepTheirSlots(1, 5);
    assertThat(slotOf(service.claim(coupon, "user-6"))).isEqualTo(6);
  }

  private static Recovery recover(RecoverStock by) {
    return recover(by, InMemoryService.PARTITION);
  }

  private static Recovery recover(RecoverStock by, Partition partition) {
    try {
      return by.recoverNow(partition, RecoverStock.Database.CURRENT);
    } catch (InterruptedException e) {
      throw new IllegalStateException("unexpected interrupt of a test", e);
    }
  }
}
