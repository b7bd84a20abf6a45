package io.firstcome.application;

import static java.util.Objects.requireNonNull;

import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.contracts.stock.InMemoryStockBackend;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Earlier states of the stock and of the database, a few of each, which can come back. */
final class SimulatedBackups {

  private static final int COPIES = 5;
  private static final double CHANCE = 0.05;

  private final Schedule schedule;
  private final InMemoryStockBackend stock;
  private final InMemoryDatabase database;
  private final List<InMemoryStockBackend.Copy> ofStock = new ArrayList<>();
  private final List<InMemoryDatabase.Backup> ofDatabase = new ArrayList<>();
  private final List<InMemoryDatabase.Backup> pasts = new ArrayList<>();
  private InMemoryStockBackend.@Nullable Copy leftMaster;
  private long archived;

  SimulatedBackups(Schedule schedule, InMemoryStockBackend stock, InMemoryDatabase database) {
    this.schedule = schedule;
    this.stock = stock;
    this.database = database;
  }

  /**
   * Copies are made. The stock cannot fill the gaps of a backup that is older than an archiving:
   * nobody uses one.
   *
   * @param nowArchived how many coupons are archived
   */
  void timePasses(long nowArchived) {
    if (schedule.chance(CHANCE)) {
      keep(ofStock, stock.copy());
    }
    if (archived < nowArchived) {
      archived = nowArchived;
      ofDatabase.clear();
    }
    if (schedule.chance(CHANCE)) {
      keep(ofDatabase, database.backUp());
    }
  }

  /** What a restored database may know of operators' changes. */
  void keepPast() {
    if (schedule.chance(CHANCE)) {
      keep(pasts, database.backUp());
    }
  }

  private <T> void keep(List<T> copies, T copy) {
    if (copies.size() == COPIES) {
      copies.remove(schedule.below(COPIES));
    }
    copies.add(copy);
  }

  InMemoryDatabase.@Nullable Backup somePast() {
    return pasts.isEmpty() ? null : schedule.oneOf(pasts);
  }

  /** The database has forgotten operators' changes, and so may have forgotten an archiving. */
  void changesAreForgotten(long nowArchived) {
    if (nowArchived < archived) {
      archived = nowArchived;
      ofDatabase.clear();
    }
  }

  boolean areOfStock() {
    return !ofStock.isEmpty();
  }

  boolean areOfDatabase() {
    return !ofDatabase.isEmpty();
  }

  /** Whether there is a master that was left. */
  boolean isMasterLeft() {
    return leftMaster != null;
  }

  void setStockBack() {
    leftMaster = stock.copy();
    stock.setBackTo(schedule.oneOf(ofStock));
  }

  /** The master that was left comes back. */
  void failStockBack() {
    stock.failBackTo(requireNonNull(leftMaster));
    leftMaster = null;
  }

  void setDatabaseBack() {
    database.restore(schedule.oneOf(ofDatabase));
  }
}
