package io.firstcome.application.recovery;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps every partition open: checks the fences periodically, and at once after a fenced call, and
 * recovers a partition whose fence does not match.
 *
 * <p>Whether a partition accepts claims does not depend on whether it could be compared with the
 * database: claims need the stock alone. So each fence is also checked alone, in the epoch that
 * this instance knows.
 */
public final class StockKeeper {

  private final Recoverer recoverStock;
  private final List<Partition> partitions;
  private final Set<Partition> open = ConcurrentHashMap.newKeySet();
  private volatile boolean hasLooked;
  private final ConcurrentHashMap<Partition, Epoch> distrusted = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition called = lock.newCondition();
  private long calls;

  public StockKeeper(RecoverStock recoverStock, List<Partition> partitions) {
    this.recoverStock = recoverStock;
    this.partitions = List.copyOf(partitions);
  }

  private StockKeeper(Recoverer recoverer) {
    this.recoverStock = recoverer;
    this.partitions = List.of();
  }

  /** The keeper of a deployment without a stock that could be lost: it has no partitions. */
  public static StockKeeper ofNothing() {
    return new StockKeeper(new NoRecovery());
  }

  public List<Partition> partitions() {
    return partitions;
  }

  /** Partitions that accepted no claims of this instance at their last check. */
  public List<Partition> closed() {
    return partitions.stream().filter(partition -> !isOpen(partition)).toList();
  }

  /** Whether the partition accepted claims of this instance at its last check. */
  public boolean isOpen(Partition partition) {
    return open.contains(partition);
  }

  /** Whether any partition accepted claims of this instance at its last check. */
  public boolean takesClaims() {
    return !open.isEmpty();
  }

  /**
   * Whether this instance has reached its servers since it started: both the stock and the database
   * have answered a check of a partition.
   */
  public boolean hasLooked() {
    return hasLooked;
  }

  /** Checks every fence without the database, and notes which partitions accept claims. */
  public void checkFences() {
    partitions.forEach(this::checkFence);
  }

  private void checkFence(Partition partition) {
    boolean takesClaims;
    try {
      takesClaims = recoverStock.takesClaims(partition);
    } catch (StockUnavailableException e) {
      // keep() reports that.
      takesClaims = false;
    }
    note(partition, takesClaims);
  }

  private void note(Partition partition, boolean takesClaims) {
    if (takesClaims) {
      open.add(partition);
    } else {
      open.remove(partition);
    }
  }

  /**
   * Checks one partition and recovers it if needed. While the database is not reachable, the note
   * whether it accepts claims stays: see {@link #checkFences}.
   *
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock is not reachable, or
   *     was taken over by another recoverer
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public void keep(Partition partition) throws InterruptedException {
    note(partition, () -> recoverStock.openOrRecover(partition, distrusted.get(partition)));
  }

  /**
   * Recovers one partition now, whatever its fence says.
   *
   * @param databaseWasSetBack whether an operator knows that the database was restored from an
   *     older backup; then what the ledger has and the database lacks is written again. Otherwise a
   *     database that is behind the stock stops the recovery
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock is not reachable, or
   *     was taken over by another recoverer
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Recovery recover(Partition partition, boolean databaseWasSetBack)
      throws InterruptedException {
    var database =
        databaseWasSetBack ? RecoverStock.Database.SET_BACK : RecoverStock.Database.CURRENT;
    return note(partition, () -> recoverStock.recoverNow(partition, database));
  }

  private interface Look {
    Recovery run() throws InterruptedException;
  }

  private Recovery note(Partition partition, Look look) throws InterruptedException {
    Recovery recovery;
    try {
      recovery = look.run();
    } catch (StockUnavailableException e) {
      note(partition, false);
      throw e;
    }
    hasLooked = true;
    if (recovery instanceof Recovery.Open(Epoch epoch, _)) {
      note(partition, true);
      // A request that came during this check is kept: the check did not see it.
      distrusted.computeIfPresent(
          partition, (same, replaced) -> epoch.isAfter(replaced) ? null : replaced);
    } else {
      checkFence(partition);
    }
    return recovery;
  }

  /** Triggers a check of the partitions without delay, after a fenced call. */
  public void checkNow() {
    lock.lock();
    try {
      calls++;
      called.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Requests a rebuild of the partition, as stock and rows disagree, unless its epoch is later by
   * now.
   */
  public void requestRecovery(Partition partition, Epoch epoch) {
    distrusted.merge(partition, epoch, (a, b) -> a.isAfter(b) ? a : b);
    checkNow();
  }

  /** Waits until the next check is due, or for {@code atMost}. */
  public void awaitNextCheck(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long seen = calls;
      long left = atMost.toNanos();
      while (seen == calls && left > 0) {
        left = called.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
