package io.firstcome.application;

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
 * Keeps every partition open: looks at the fences from time to time, and at once when somebody has
 * met a closed one, and has what does not match recovered.
 *
 * <p>Whether a partition takes claims is another question than whether it could be compared with
 * the database: claims need the stock alone. So each fence is looked at beside that, in the epoch
 * that this instance knows.
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

  /** That of a deployment without any stock that could be lost: it has no partition to keep. */
  public static StockKeeper ofNothing() {
    return new StockKeeper(new NothingToRecover());
  }

  public List<Partition> partitions() {
    return partitions;
  }

  /** Partitions that took no claims of this instance when they were last looked at. */
  public List<Partition> closed() {
    return partitions.stream().filter(partition -> !isOpen(partition)).toList();
  }

  /** Whether the partition took claims of this instance when it was last looked at. */
  boolean isOpen(Partition partition) {
    return open.contains(partition);
  }

  /** Whether any partition took claims of this instance when it was last looked at. */
  public boolean takesClaims() {
    return !open.isEmpty();
  }

  /**
   * Whether this instance has reached its servers since it started: both the stock and the database
   * have answered a look at a partition.
   */
  public boolean hasLooked() {
    return hasLooked;
  }

  /** Looks at every fence without asking the database, and notes which partitions take claims. */
  public void lookAtFences() {
    partitions.forEach(this::lookAtFence);
  }

  private void lookAtFence(Partition partition) {
    boolean takesClaims;
    try {
      takesClaims = recoverStock.takesClaims(partition);
    } catch (StockUnavailableException e) {
      // Who keeps the partition reports it.
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
   * Looks at one partition and recovers it if it must be. While the database is away, what is known
   * of its claims stays as it is: see {@link #lookAtFences}.
   *
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock is away, or was taken
   *     over by another recoverer
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is away
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
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock is away, or was taken
   *     over by another recoverer
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is away
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
    if (recovery instanceof Recovery.Open) {
      note(partition, true);
      distrusted.remove(partition);
    } else {
      lookAtFence(partition);
    }
    return recovery;
  }

  /** Has the partitions looked at without delay: somebody met a fence. */
  void lookNow() {
    lock.lock();
    try {
      calls++;
      called.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Has the partition rebuilt unless its epoch is a later one by now: stock and rows disagree. */
  void requestRecovery(Partition partition, Epoch epoch) {
    distrusted.merge(partition, epoch, (a, b) -> a.isAfter(b) ? a : b);
    lookNow();
  }

  /** Waits until the next look is due, {@code atMost} so long. */
  public void awaitNextLook(Duration atMost) throws InterruptedException {
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
