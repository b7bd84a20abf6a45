package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.FenceState;
import io.firstcome.domain.issuance.FenceState.Kind;
import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.port.BrokerUnavailableException;
import io.firstcome.domain.port.ClaimQueue;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.PartitionEpochs.RecoveryRight;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.StockContentException;
import io.firstcome.domain.port.StockRecovery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds a partition's stock in a new epoch, after a restart, a promotion, a fail-back or the
 * loss of the server's data, from what database and stock still know.
 *
 * <p>The idea: <em>rows win, the ledger comes second, late claims third, and what is not recorded
 * yet becomes a late claim</em>. All accepted claims without a row, whether the log, the ledger or
 * a message knows them, are then settled in one way. Nothing is taken from anybody, and each step
 * can be repeated, so a recovery that dies is simply begun again in a later epoch.
 *
 * <p>An archived coupon is not touched. What an older state of the server still has of it takes no
 * calls, as nothing makes it ready in the new epoch, and is removed by {@link ClearArchivedCoupons}
 * when the partition is open: so the coupons that were ever archived cost a recovery no time. One
 * that is archived after its row was read here is rebuilt as a closed one, and removed when the
 * partition is open: its removal waits for that, and its revision is not noted as brought until
 * then.
 */
public final class RecoverStock implements Recoverer {

  /** With the pause between them five seconds, so that an operator's call ends in time. */
  private static final int TRIES_MAX = 10;

  private final PartitionEpochs epochs;
  private final KnownEpochs knownEpochs;
  private final CouponRepository coupons;
  private final LateClaimRepository lateClaims;
  private final StockRecovery recovery;
  private final HandoffLog log;
  private final ClaimQueue queue;
  private final RebuildCoupon rebuildCoupon;
  private final ApplicationLimits limits;
  private final IssuanceObserver observer;
  private final Semaphore mayRecover;

  public RecoverStock(
      PartitionEpochs epochs,
      KnownEpochs knownEpochs,
      CouponRepository coupons,
      LateClaimRepository lateClaims,
      StockRecovery recovery,
      HandoffLog log,
      ClaimQueue queue,
      RebuildCoupon rebuildCoupon,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    this.epochs = epochs;
    this.knownEpochs = knownEpochs;
    this.coupons = coupons;
    this.lateClaims = lateClaims;
    this.recovery = recovery;
    this.log = log;
    this.queue = queue;
    this.rebuildCoupon = rebuildCoupon;
    this.limits = limits;
    this.observer = observer;
    this.mayRecover = new Semaphore(limits.parallelRecoveries());
  }

  /** Whether the database can be believed to be no older than the stock. */
  enum Database {
    /** One that turns out to be older stops the recovery. */
    CURRENT,
    /** An operator knows that it was restored from a backup: the ledger fills its gaps. */
    SET_BACK
  }

  /** A step of a recovery, taken while this instance has the right to recover the partition. */
  private interface Step {
    Recovery run(RecoveryRight right) throws InterruptedException;
  }

  @Override
  public Recovery openOrRecover(Partition partition, @Nullable Epoch distrusted)
      throws InterruptedException {
    var open = open(partition, distrusted);
    return open != null
        ? open
        : alone(
            partition,
            1,
            right -> {
              // Another instance may have done it between the first look and the right.
              var openNow = open(partition, distrusted);
              return openNow != null ? openNow : recover(partition, Database.CURRENT, right);
            });
  }

  /**
   * Recovers the partition, open or not. The right is waited for within bounds: whoever looks at a
   * closed fence has it for a moment, and while claims meet that fence they look without a pause.
   */
  @Override
  public Recovery recoverNow(Partition partition, Database database) throws InterruptedException {
    return alone(partition, TRIES_MAX, right -> recover(partition, database, right));
  }

  private Recovery alone(Partition partition, int tries, Step step) throws InterruptedException {
    // A look must not wait while this instance rebuilds other partitions: meanwhile another
    // instance may open this one.
    var patience = limits.retryPause().multipliedBy(tries - 1);
    if (!mayRecover.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      return new Recovery.Elsewhere();
    }
    try (var right = right(partition, tries).orElse(null)) {
      return right == null ? new Recovery.Elsewhere() : step.run(right);
    } finally {
      mayRecover.release();
    }
  }

  private Optional<RecoveryRight> right(Partition partition, int tries)
      throws InterruptedException {
    var right = epochs.tryToRecover(partition);
    for (int i = 1; i < tries && right.isEmpty(); i++) {
      Thread.sleep(limits.retryPause());
      right = epochs.tryToRecover(partition);
    }
    return right;
  }

  private Recovery.@Nullable Open open(Partition partition, @Nullable Epoch distrusted) {
    var epoch = epochs.current(partition);
    if (epoch.equals(distrusted) || !recovery.fence(partition).isOpenAt(epoch)) {
      return null;
    }
    knownEpochs.learn(partition, epoch);
    return new Recovery.Open(epoch);
  }

  @Override
  public boolean takesClaims(Partition partition) {
    return recovery.fence(partition).isOpenAt(knownEpochs.of(partition));
  }

  private Recovery recover(Partition partition, Database database, RecoveryRight right)
      throws InterruptedException {
    var databaseEpoch = epochs.current(partition);
    var fence = recovery.fence(partition);
    if (database == Database.CURRENT
        && fence.kind() == Kind.OPEN
        && fence.epoch().isAfter(databaseEpoch)) {
      return stop(
          partition,
          "the stock was open in epoch %s and the database knows only %s: it has been set back"
              .formatted(fence.epoch(), databaseEpoch));
    }
    var epoch = later(databaseEpoch, fence).next();
    letRecordersEmptyTheQueue();
    right.goesOn();
    // Who raises the epoch is the only one ever to begin in it. So a recoverer that has lost its
    // right, and finds another server in the place of the one it fenced, cannot take the fence of
    // somebody else's recovery for its own.
    if (!epochs.raise(partition, epoch)) {
      return new Recovery.Elsewhere();
    }
    right.goesOn();
    observer.recoveryStep(partition, epoch, "epoch raised");
    recovery.begin(partition, epoch);
    observer.recoveryStep(partition, epoch, "fenced");
    if (!epochs.current(partition).equals(epoch)) {
      return new Recovery.Elsewhere();
    }
    knownEpochs.learn(partition, epoch);
    var live = coupons.inPartition(partition);
    moveLogToLateClaims(partition, live, right);
    observer.recoveryStep(partition, epoch, "log read");
    var notRebuilt = new ArrayList<CouponId>();
    for (var coupon : rebuildCoupon.openFirst(live)) {
      if (rebuild(coupon, epoch, database, right)) {
        noteInStock(coupon);
      } else {
        notRebuilt.add(coupon.id());
      }
    }
    recovery.open(partition, epoch);
    observer.recoveryStep(partition, epoch, "open");
    return new Recovery.Open(epoch, notRebuilt);
  }

  /**
   * A coupon whose rows or keys cannot be read, or whose rows somebody else has locked, does not
   * keep the others closed.
   *
   * @return whether its claims are taken now
   */
  private boolean rebuild(Coupon coupon, Epoch epoch, Database database, RecoveryRight right) {
    try {
      rebuildCoupon.rebuild(coupon, epoch, database, observer, right::goesOn);
      return true;
    } catch (StockContentException | DatabaseLockedException e) {
      observer.couponNotRebuilt(coupon.id(), e);
      return false;
    } catch (ServerUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      observer.couponNotRebuilt(coupon.id(), e);
      return false;
    }
  }

  /** Where somebody else has locked the coupon's row, {@link BringToStock} does it later. */
  private void noteInStock(Coupon coupon) {
    try {
      coupons.nowInStock(coupon.id(), coupon.revision());
    } catch (DatabaseLockedException e) {
      observer.roundFailed("noting a coupon as rebuilt", e);
    }
  }

  /** No claims either: what is asked of a database that was set back is answered wrongly. */
  private Recovery stop(Partition partition, String reason) {
    knownEpochs.forget(partition);
    observer.recoveryStopped(partition, reason);
    return new Recovery.Stopped(reason);
  }

  private static Epoch later(Epoch databaseEpoch, FenceState fence) {
    return fence.epoch().isAfter(databaseEpoch) ? fence.epoch() : databaseEpoch;
  }

  /**
   * The fewer messages outlive their epoch, the more claims keep their slot after a loss of data.
   */
  private void letRecordersEmptyTheQueue() throws InterruptedException {
    long end = System.nanoTime() + limits.drainTime().toNanos();
    try {
      while (queue.waiting() > 0 && System.nanoTime() < end) {
        Thread.sleep(Duration.ofMillis(20));
      }
    } catch (BrokerUnavailableException e) {
      observer.roundFailed("draining the queue", e);
    }
  }

  /**
   * Nobody can append: no coupon of the partition is ready in the new epoch yet. An entry of a
   * coupon that the database does not know stays, and is relayed, for the recorder to set aside.
   */
  private void moveLogToLateClaims(Partition partition, List<Coupon> live, RecoveryRight right) {
    var defined = new HashMap<CouponId, Boolean>();
    live.forEach(coupon -> defined.put(coupon.id(), true));
    Pages.<HandoffEntry, String>forEach(
        after -> log.peek(partition, after, limits.relayBatch()),
        entry -> entry.reference().entryId(),
        page -> {
          var moved = page.stream().filter(entry -> isDefined(entry.couponId(), defined)).toList();
          lateClaims.add(moved.stream().flatMap(RecoverStock::lateClaims).toList());
          log.recorded(moved.stream().map(HandoffEntry::reference).toList());
          right.goesOn();
        });
  }

  /** Archived ones too, of which an older state of the log has entries; each is asked for once. */
  private boolean isDefined(CouponId couponId, Map<CouponId, Boolean> known) {
    return known.computeIfAbsent(couponId, this::isDefined);
  }

  private boolean isDefined(CouponId couponId) {
    try {
      return coupons.find(couponId).isPresent();
    } catch (ServerUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      // A row that cannot be read is there all the same.
      return true;
    }
  }

  private static Stream<LateClaim> lateClaims(HandoffEntry entry) {
    return entry.claims().stream()
        .map(claim ->
            new LateClaim(
                entry.couponId(),
                claim.userId(),
                claim.slot(),
                entry.reference().partition(),
                entry.acceptedAt()));
  }
}
