package io.firstcome.application.recovery;

import io.firstcome.application.archive.ClearArchivedCoupons;
import io.firstcome.application.paging.Pages;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.application.stock.StockSync;
import io.firstcome.domain.clock.ProcessClock;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.FenceState;
import io.firstcome.domain.issuance.FenceState.Kind;
import io.firstcome.domain.issuance.SoldOutLease;
import io.firstcome.domain.observation.Completion;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.observation.RecoveryObservation;
import io.firstcome.domain.port.BrokerUnavailableException;
import io.firstcome.domain.port.ClaimQueue;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.PartitionEpochs.Lease;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockContentException;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.StockUnavailableException;
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
 * loss of the server's data, from the data that database and stock still have.
 *
 * <p>The idea: <em>rows have precedence, then the ledger, then late claims, and an accepted claim
 * that is not recorded yet becomes a late claim</em>. All accepted claims without a row, whether
 * they are in the log, the ledger or a message, are then settled in the same way. Each step is safe
 * to retry, so a recovery that fails is begun again in a later epoch.
 *
 * <p>An archived coupon is not rebuilt. Its data in an older state of the server accept no calls,
 * as it is not made ready in the new epoch, and {@link ClearArchivedCoupons} deletes them when the
 * partition is open: so archived coupons cost a recovery no time. One that is archived after its
 * row was read here is rebuilt as a closed one. Its removal waits until the partition is open, and
 * its revision is not noted as applied until then.
 */
public final class RecoverStock implements Recoverer {

  /** With the pause between them five seconds, so that an operator's call ends in time. */
  private static final int TRIES_MAX = 10;

  private static final Duration LEASE_PAUSE = Duration.ofMillis(50);

  private final PartitionEpochs epochs;
  private final KnownEpochs knownEpochs;
  private final CouponRepository coupons;
  private final LateClaimRepository lateClaims;
  private final StockRecovery recovery;
  private final HandoffLog log;
  private final ClaimQueue queue;
  private final RebuildCoupon rebuildCoupon;
  private final RecoveryLimits limits;
  private final ProcessClock clock;
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
      RecoveryLimits limits,
      ProcessClock clock,
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
    this.clock = clock;
    this.observer = observer;
    this.mayRecover = new Semaphore(limits.parallelRecoveries());
  }

  /** Whether the database is at least as recent as the stock. */
  public enum Database {
    /** As recent as the stock. If it turns out to be older, the recovery stops. */
    CURRENT,
    /** Restored from an older backup, as an operator states: the ledger completes the data. */
    SET_BACK
  }

  /** A step of a recovery, run while this instance holds the recovery lease of the partition. */
  private interface Step {
    Recovery run(Lease lease) throws InterruptedException;
  }

  @Override
  public Recovery openOrRecover(Partition partition, @Nullable Epoch distrusted)
      throws InterruptedException {
    var open = open(partition, distrusted);
    return open != null
        ? open
        : leased(
            partition,
            1,
            lease -> {
              // Another instance may have recovered it between the first check and the lease.
              var openNow = open(partition, distrusted);
              return openNow != null ? openNow : recover(partition, Database.CURRENT, lease);
            });
  }

  /**
   * Recovers the partition, open or not. Waits for the lease for a bounded time: each check of a
   * closed fence holds it for a moment, and fenced claims cause checks without a pause.
   */
  @Override
  public Recovery recoverNow(Partition partition, Database database) throws InterruptedException {
    return leased(partition, TRIES_MAX, lease -> recover(partition, database, lease));
  }

  private Recovery leased(Partition partition, int tries, Step step) throws InterruptedException {
    // A check must not wait while this instance rebuilds other partitions: meanwhile another
    // instance may open this one.
    var maxWait = limits.retryPause().multipliedBy(tries - 1);
    if (!mayRecover.tryAcquire(maxWait.toMillis(), TimeUnit.MILLISECONDS)) {
      return new Recovery.Elsewhere();
    }
    try (var lease = acquireLease(partition, tries).orElse(null)) {
      return lease == null ? new Recovery.Elsewhere() : step.run(lease);
    } finally {
      mayRecover.release();
    }
  }

  private Optional<Lease> acquireLease(Partition partition, int tries) throws InterruptedException {
    var lease = epochs.tryAcquireLease(partition);
    for (int i = 1; i < tries && lease.isEmpty(); i++) {
      clock.sleep(limits.retryPause());
      lease = epochs.tryAcquireLease(partition);
    }
    return lease;
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

  private Recovery recover(Partition partition, Database database, Lease lease)
      throws InterruptedException {
    var databaseEpoch = epochs.current(partition);
    var fence = recovery.fence(partition);
    if (database == Database.CURRENT
        && fence.kind() == Kind.OPEN
        && fence.epoch().isAfter(databaseEpoch)) {
      return stop(
          partition,
          "the stock was open in epoch %s, and the database in %s: the database was set back"
              .formatted(fence.epoch(), databaseEpoch));
    }
    var epoch = later(databaseEpoch, fence).next();
    letRecordersEmptyTheQueue();
    lease.noteProgress();
    // Only the recoverer that raises the epoch begins in it. So a recoverer that has lost its
    // lease, and finds another server than the one it fenced, cannot mistake the fence of another
    // recovery for its own.
    if (!epochs.raise(partition, epoch)) {
      return new Recovery.Elsewhere();
    }
    lease.noteProgress();
    observer.observe(
        new RecoveryObservation.StepDone(partition, epoch, RecoveryObservation.Step.EPOCH_RAISED));
    recovery.begin(partition, epoch);
    long begunNanos = clock.nanos();
    observer.observe(
        new RecoveryObservation.StepDone(partition, epoch, RecoveryObservation.Step.FENCED));
    if (!epochs.current(partition).equals(epoch)) {
      return new Recovery.Elsewhere();
    }
    knownEpochs.learn(partition, epoch);
    var live = coupons.inPartition(partition);
    moveLogToLateClaims(partition, live, lease);
    observer.observe(
        new RecoveryObservation.StepDone(partition, epoch, RecoveryObservation.Step.LOG_READ));
    var leases = new EarlierLeases(later(databaseEpoch, fence), begunNanos);
    var notRebuilt = new ArrayList<CouponId>();
    long rebuildNanos = clock.nanos();
    int rebuilt = 0;
    for (var together : rebuildCoupon.openFirst(live)) {
      var took = Duration.ofNanos(clock.nanos() - rebuildNanos);
      observer.observe(
          new RecoveryObservation.PartitionProgress(
              partition, epoch, new Completion(rebuilt, live.size(), took)));
      if (rebuild(together, epoch, database, leases, lease)) {
        together.forEach(this::noteInStock);
        rebuilt += together.size();
      } else {
        together.forEach(coupon -> notRebuilt.add(coupon.id()));
      }
    }
    recovery.open(partition, epoch);
    observer.observe(
        new RecoveryObservation.StepDone(partition, epoch, RecoveryObservation.Step.OPEN));
    return new Recovery.Open(epoch, notRebuilt);
  }

  /**
   * The leases on "sold out" of earlier epochs. None is granted any more since the partition is
   * fenced. No coupon must be ready before the last one is over, otherwise another instance could
   * refuse its users as sold out.
   */
  private final class EarlierLeases {

    private final boolean mayBeInUse;
    private final long fencedNanos;

    EarlierLeases(Epoch earlier, long fencedNanos) {
      this.mayBeInUse = !earlier.equals(Epoch.NONE);
      this.fencedNanos = fencedNanos;
    }

    void awaitEnd() {
      try {
        while (mayBeInUse && clock.nanos() - fencedNanos < SoldOutLease.OVER_AFTER.toNanos()) {
          clock.sleep(LEASE_PAUSE);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StockUnavailableException(Effect.NONE, "interrupted while leases were in use", e);
      }
    }
  }

  /**
   * A coupon whose rows or keys cannot be read, or whose rows another session has locked, does not
   * keep others closed, except those of its campaign.
   *
   * @return whether they were rebuilt
   */
  private boolean rebuild(
      List<Coupon> together, Epoch epoch, Database database, EarlierLeases leases, Lease lease) {
    try {
      requireWhole(together);
      rebuildCoupon.rebuild(
          together, epoch, database, observer, lease::noteProgress, leases::awaitEnd);
      return true;
    } catch (StockContentException | DatabaseLockedException e) {
      reportNotRebuilt(together, epoch, e);
      return false;
    } catch (ServerUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      reportNotRebuilt(together, epoch, e);
      return false;
    }
  }

  /**
   * Reads the coupons of the campaign that are not rebuilt, such as drafts and archived ones: a row
   * that cannot be read may be that of a coupon which users have claimed.
   */
  private void requireWhole(List<Coupon> together) {
    var campaign = together.getFirst().campaign();
    if (campaign != null) {
      var rebuilt = together.stream().map(Coupon::id).toList();
      campaign.couponIds().stream().filter(id -> !rebuilt.contains(id)).forEach(coupons::find);
    }
  }

  private void reportNotRebuilt(List<Coupon> together, Epoch epoch, RuntimeException cause) {
    together.forEach(coupon ->
        observer.observe(
            new RecoveryObservation.CouponNotRebuilt(
                coupon.id(), coupon.partition(), epoch, cause)));
  }

  /** If another session has locked the coupon's row, {@link StockSync} does it later. */
  private void noteInStock(Coupon coupon) {
    try {
      coupons.noteApplied(coupon.id(), coupon.revision());
    } catch (DatabaseLockedException e) {
      observer.observe(new OperationObservation.RoundFailed("noting a coupon as rebuilt", e));
    }
  }

  /** Refuses claims too: a database that was set back gives wrong answers. */
  private Recovery stop(Partition partition, String reason) {
    knownEpochs.forget(partition);
    observer.observe(new RecoveryObservation.Stopped(partition, reason));
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
      observer.observe(new OperationObservation.RoundFailed("draining the queue", e));
    }
  }

  /**
   * No entry can be appended: no coupon of the partition is ready in the new epoch yet. An entry of
   * a coupon that is not in the database stays, is relayed, and is set aside by the recorder.
   */
  private void moveLogToLateClaims(Partition partition, List<Coupon> live, Lease lease) {
    var defined = new HashMap<CouponId, Boolean>();
    live.forEach(coupon -> defined.put(coupon.id(), true));
    Pages.<HandoffEntry, String>forEach(
        after -> log.peek(partition, after, limits.logPage()),
        entry -> entry.reference().entryId(),
        page -> {
          var moved = page.stream().filter(entry -> isDefined(entry.couponId(), defined)).toList();
          lateClaims.add(moved.stream().flatMap(RecoverStock::lateClaims).toList());
          log.recorded(moved.stream().map(HandoffEntry::reference).toList());
          lease.noteProgress();
        });
  }

  /** Whether the coupon exists, archived or not: an older log can have entries of archived ones. */
  private boolean isDefined(CouponId couponId, Map<CouponId, Boolean> known) {
    return known.computeIfAbsent(couponId, this::isDefined);
  }

  private boolean isDefined(CouponId couponId) {
    try {
      return coupons.find(couponId).isPresent();
    } catch (ServerUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      // A row that cannot be read exists nevertheless.
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
